import { useEffect, useState } from 'preact/hooks'

/** What the page shows, kept in the address so that it can be shared and outlives a reload. */
export interface Place {
  readonly range: string
  readonly service: string
  readonly model: string
  readonly trace: string
}

const home: Place = { range: '1h', service: '', model: '', trace: '' }

function read(): Place {
  const params = new URLSearchParams(location.hash.slice(1))
  const of = (key: keyof Place) => params.get(key) ?? home[key]
  return { range: of('range'), service: of('service'), model: of('model'), trace: of('trace') }
}

export function usePlace(): [Place, (change: Partial<Place>) => void] {
  const [place, setPlace] = useState(read)
  useEffect(() => {
    const follow = () => setPlace(read())
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  const go = (change: Partial<Place>) => {
    const next = { ...read(), ...change }
    const set = Object.entries(next).filter(([key, value]) => value !== home[key as keyof Place])
    history.replaceState(null, '', `#${new URLSearchParams(set)}`)
    setPlace(next)
  }
  return [place, go]
}
