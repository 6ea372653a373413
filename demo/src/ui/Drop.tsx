import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

interface Props {
  readonly accept: string
  /** The name of the file in use. */
  readonly chosen: string | undefined
  /** Locked, as the rest of the choices, while a job runs. */
  readonly locked: boolean
  readonly onFile: (file: File) => void
}

/** A file chooser; a file may also be dropped anywhere on the page. */
export function Drop({ accept, chosen, locked, onFile }: Props): JSX.Element {
  const [over, setOver] = useState(false)
  const latest = useRef({ locked, onFile })
  latest.current = { locked, onFile }

  useEffect(() => {
    const listening = new AbortController()
    const { signal } = listening
    window.addEventListener(
      'dragover',
      (event) => {
        // Without this the browser would leave the page to show the file.
        event.preventDefault()
        setOver(true)
      },
      { signal },
    )
    window.addEventListener(
      'dragleave',
      (event) => {
        if (event.relatedTarget === null) setOver(false)
      },
      { signal },
    )
    window.addEventListener(
      'drop',
      (event) => {
        event.preventDefault()
        setOver(false)
        const file = event.dataTransfer?.files[0]
        if (file && !latest.current.locked) latest.current.onFile(file)
      },
      { signal },
    )
    return () => listening.abort()
  }, [])

  return (
    <label class={over ? 'drop over' : 'drop'} data-testid="dropzone">
      <input
        type="file"
        accept={accept}
        data-testid="file-input"
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? []
          if (file) onFile(file)
          // The same file may be chosen again.
          event.currentTarget.value = ''
        }}
      />
      <span>
        {over
          ? locked
            ? 'Stop the run to change its input'
            : 'Drop it here'
          : chosen === undefined
            ? 'Choose a file, or drop one on the page'
            : `Your file: ${chosen}`}
      </span>
    </label>
  )
}
