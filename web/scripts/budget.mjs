// Weighs the built app against the budgets of the first visit; a build above them fails.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

const client = join(import.meta.dirname, '../dist/client')
const manifest = JSON.parse(readFileSync(join(client, '.vite/manifest.json'), 'utf8'))

const compressed = (file) => {
  const whole = join(client, file)
  return statSync(existsSync(`${whole}.br`) ? `${whole}.br` : whole).size
}

/** The files that come with a chunk: itself and what it imports, not what it may load later. */
function together(key, found = new Set()) {
  if (found.has(key)) return found
  found.add(key)
  for (const next of manifest[key].imports ?? []) together(next, found)
  return found
}

const entry = Object.keys(manifest).find((key) => manifest[key].isEntry)
const first = new Set([...together(entry), ...together('src/routes/home.tsx')])
const weigh = (files) => files.reduce((sum, file) => sum + compressed(file), 0)

const scripts = [...first].map((key) => manifest[key].file)
const styles = [...new Set([...first].flatMap((key) => manifest[key].css ?? []))]
const fonts = [...new Set([...first].flatMap((key) => manifest[key].assets ?? []))].filter((file) =>
  file.endsWith('.woff2'),
)
const later = Object.keys(manifest).filter((key) => !first.has(key) && manifest[key].file.endsWith('.js'))

const rows = [
  ['initial JS br', weigh(scripts), 95_000],
  ['CSS br', weigh(styles), 9_000],
  ['fonts', fonts.reduce((sum, file) => sum + statSync(join(client, file)).size, 0), 51_200],
  ['font files', fonts.length, 2],
  ...later.map((key) => [
    `later: ${manifest[key].file}`,
    compressed(manifest[key].file),
    // What plays films comes with the first film, and with nothing else.
    key.includes('/hls.js/') ? 98_500 : 40_000,
  ]),
]

let failed = false
for (const [name, size, budget] of rows) {
  const over = size > budget
  failed ||= over
  if (over || !name.startsWith('later')) console.log(`${over ? 'OVER ' : 'ok   '} ${name}: ${size} of ${budget}`)
}
const heaviest = later
  .filter((key) => !key.includes('/hls.js/'))
  .map((key) => [compressed(manifest[key].file), manifest[key].file])
  .sort((a, b) => b[0] - a[0])[0]
console.log(`heaviest later chunk: ${heaviest[1]}, ${heaviest[0]} of 40000`)
process.exit(failed ? 1 : 0)
