// Packs the built files once, with the best compression there is, so that the server neither waits nor works for it.
// Run after the client build; a packed form that saves nothing (pictures, fonts) is left out.
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const client = new URL('../dist/client/', import.meta.url).pathname
const packable = new Set(['.css', '.ico', '.js', '.json', '.svg', '.txt', '.webmanifest', '.xml'])

const brotli = (content) =>
  promisify(brotliCompress)(content, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    },
  })

const packs = { '.br': brotli, '.gz': (content) => promisify(gzip)(content, { level: 9 }) }

async function pack(file) {
  const content = await readFile(file)
  for (const [suffix, compress] of Object.entries(packs)) {
    const packed = await compress(content)
    if (packed.length < content.length * 0.95) await writeFile(file + suffix, packed)
  }
}

const entries = await readdir(client, { recursive: true, withFileTypes: true })
const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))

await Promise.all(files.filter((file) => ['.br', '.gz'].includes(extname(file))).map((file) => rm(file)))
await Promise.all(files.filter((file) => packable.has(extname(file))).map(pack))
