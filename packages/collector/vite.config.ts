import { fileURLToPath } from 'node:url'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** The dashboard: one page in dist/dashboard, all of it from the collector's own host. */
export default {
  root: here('./dashboard'),
  // Relative, so that the page also works below a path prefix.
  base: './',
  build: { outDir: here('./dist/dashboard'), emptyOutDir: true, assetsInlineLimit: 0 },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
}
