import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from './page.js'

// The same folder from src/ and from dist/.
const built = fileURLToPath(new URL('../dist/dashboard/', import.meta.url))

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** The dashboard's files by request path, read once. Without a build there is one page that says how to make it. */
export async function readPages(): Promise<Map<string, Page>> {
  const names = await readdir(built, { recursive: true }).catch(() => [])
  const pages = new Map<string, Page>()
  for (const name of names) {
    const type = types[extname(name)]
    if (type === undefined) continue
    const path = name.replaceAll('\\', '/')
    pages.set(path === 'index.html' ? '/' : `/${path}`, page(await readFile(join(built, name)), type, path))
  }
  if (!pages.has('/')) pages.set('/', page(Buffer.from(missing), types['.html'] ?? '', ''))
  return pages
}

const missing =
  '<!doctype html><title>Tandem</title><p>The dashboard is not built: run <code>npm run build</code>.'

function page(bytes: Buffer, type: string, path: string): Page {
  const body = new Uint8Array(bytes).buffer
  // Vite puts a hash of the content into the name of every file under assets/.
  const caching = path.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache'
  return { body, headers: { 'content-type': type, 'cache-control': caching } }
}
