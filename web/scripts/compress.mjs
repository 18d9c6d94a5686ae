// Packs the built scripts and styles once, with the best compression there is, so that the server neither waits nor works for it. Run
// after both builds. Only the packed form stays: the server makes the others of it when it is first asked.
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'

const dist = new URL('../dist/', import.meta.url).pathname

async function pack(file) {
  const content = await readFile(file)
  const packed = await promisify(brotliCompress)(content, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    },
  })
  await writeFile(`${file}.br`, packed)
  await rm(file)
}

const entries = await readdir(dist, { recursive: true, withFileTypes: true })
const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
await Promise.all(files.filter((file) => extname(file) === '.js' || extname(file) === '.css').map(pack))
