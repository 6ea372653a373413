// A script that loads and answers nothing.
import { parentPort } from 'node:worker_threads'

parentPort.on('message', () => {})
