// Draws the stills of the built-in courses into public/art: the scenes of src/features/catalog/artwork
// with a prop chosen for each course. Needs Chromium and cwebp: node scripts/stills.mjs
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { createServer } from 'vite'

const hues = {
  acting: 'oklch(0.62 0.19 25)',
  creator: 'oklch(0.78 0.13 90)',
  ai: 'oklch(0.7 0.135 235)',
  content: 'oklch(0.62 0.195 300)',
  business: 'oklch(0.72 0.15 160)',
  marketing: 'oklch(0.7 0.18 45)',
}

const stills = [
  ['the-self-tape-lab', 'acting', 'Phone'],
  ['scene-study-for-the-camera', 'acting', 'Pages'],
  ['voice-acting-from-booth-to-booking', 'acting', 'Microphone'],
  ['improv-for-actors-who-freeze', 'acting', 'Mask'],
  ['stage-combat-and-stunt-safety', 'acting', 'Swords'],
  ['the-working-actors-toolkit', 'acting', 'Suitcase'],
  ['dialects-in-thirty-days', 'acting', 'Globe'],
  ['your-first-thousand-paying-members', 'creator', 'Coins'],
  ['brand-deals-without-an-agent', 'creator', 'RingLight'],
  ['digital-products-that-sell-while-you-sleep', 'creator', 'Lantern'],
  ['money-taxes-and-contracts-for-creators', 'creator', 'Contract'],
  ['from-side-hustle-to-studio', 'creator', 'Door'],
  ['an-ai-assisted-video-editing-workflow', 'ai', 'Cubes'],
  ['prompting-for-writers-and-directors', 'ai', 'Chair'],
  ['storyboards-and-look-books-with-image-models', 'ai', 'Storyboard'],
  ['music-production-with-ai', 'ai', 'Keys'],
  ['storytelling-for-ten-minute-videos', 'content', 'Hourglass'],
  ['podcasting-end-to-end', 'content', 'Headphones'],
  ['screenwriting-for-streaming', 'content', 'Typewriter'],
  ['documentary-filmmaking', 'content', 'Camera'],
  ['cinematography-masterclass', 'content', 'Reel'],
  ['networking-for-introverts-in-film-and-media', 'business', 'Figures'],
  ['pitching-to-producers', 'business', 'Spotlight'],
  ['negotiating-your-rate', 'business', 'Chess'],
  ['short-form-growth-without-burning-out', 'marketing', 'Rocket'],
  ['email-lists-that-pay-the-rent', 'marketing', 'Envelope'],
  ['audience-research-for-creators', 'marketing', 'Binoculars'],
  ['the-launch-week-playbook', 'marketing', 'Megaphone'],
]

const folder = join(import.meta.dirname, '../public/art')
const work = mkdtempSync(join(tmpdir(), 'stills-'))
mkdirSync(folder, { recursive: true })

const vite = await createServer({
  server: { middlewareMode: true },
  appType: 'custom',
  configFile: false,
  optimizeDeps: { noDiscovery: true },
})
const { Scene } = await vite.ssrLoadModule('/src/features/catalog/artwork/scene.tsx')

for (const [slug, category, name] of stills) {
  const svg = renderToStaticMarkup(createElement(Scene, { seed: slug, name }))
  const page = join(work, `${slug}.html`)
  const picture = join(work, `${slug}.png`)
  const style = `html{--hue:${hues[category]}}body{margin:0}svg{display:block;width:1280px;height:720px}`
  writeFileSync(page, `<!doctype html><style>${style}</style>${svg}`)
  const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--hide-scrollbars', '--window-size=1280,720']
  execFileSync('chromium', [...flags, `--screenshot=${picture}`, `file://${page}`], { stdio: 'ignore' })
  const size = ['-resize', '960', '540']
  execFileSync('cwebp', ['-quiet', '-q', '84', '-m', '6', ...size, picture, '-o', join(folder, `${slug}.webp`)])
}

await vite.close()
rmSync(work, { recursive: true })
console.log(`${stills.length} stills in ${folder}`)
