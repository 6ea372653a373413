import { tandem } from '@tandem/sdk/vite'
import { defineConfig } from 'vitest/config'
import { assetFiles } from './demo/vite/assets.js'

// Rolldown's remark on how long plugins took tells a newcomer nothing.
const quiet = { rolldownOptions: { checks: { pluginTimings: false } } }

// The demo page is the one thing Vite builds here; the libraries are built by `tsc -b`. Vitest runs from this file too.
export default defineConfig({
  root: 'demo',
  plugins: [tandem(), assetFiles()],
  build: { target: 'es2022', ...quiet },
  worker: { format: 'es', ...quiet },
  test: {
    root: '.',
    projects: [
      {
        test: {
          name: 'unit',
          include: ['packages/*/src/**/*.test.ts', 'scripts/**/*.test.ts', 'demo/**/*.test.ts'],
          exclude: ['**/node_modules/**', '**/dist/**'],
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['e2e/**/*.spec.ts'],
          exclude: ['**/node_modules/**', '**/dist/**'],
          // A browser, three processes and real models: generous limits, one file at a time.
          testTimeout: 180_000,
          hookTimeout: 180_000,
          fileParallelism: false,
        },
      },
    ],
  },
})
