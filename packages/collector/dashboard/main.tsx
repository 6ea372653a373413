import { render } from 'preact'
import 'uplot/dist/uPlot.min.css'
import './style/theme.css'
import './style/page.css'
import './style/figures.css'
import './style/stages.css'
import './style/chart.css'
import './style/traces.css'
import { App } from './app.js'

const root = document.getElementById('app')
if (root !== null) render(<App />, root)
