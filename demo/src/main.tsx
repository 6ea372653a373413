import { render } from 'preact'
import { readConfig } from './config.js'
import { App } from './ui/App.js'

const root = document.getElementById('app')
if (root === null) throw new Error('index.html has no element with the id «app»')

const config = await readConfig(location.search)
root.replaceChildren()
render(<App config={config} />, root)
