// The built binary as it ships, on a port from the kernel and a data folder that goes with it.
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const binary = process.env.GREENROOM ?? join(import.meta.dirname, '../bin/greenroom')
const apiKey = 'sb_publishable_of_the_benchmark'

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address()
  probe.close()
  return port
}

export async function startSite() {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const data = await mkdtemp(join(tmpdir(), 'greenroom-bench-'))
  const env = {
    ...process.env,
    GREENROOM_LISTEN: `127.0.0.1:${port}`,
    GREENROOM_SITE_URL: url,
    GREENROOM_DATA: data,
    GREENROOM_DATABASE_URL: '',
    GREENROOM_API_KEY: apiKey,
    GREENROOM_DRAIN: '0s',
  }
  const child = spawn(binary, ['serve'], { env, stdio: 'ignore' })
  const stop = async () => {
    child.kill('SIGTERM')
    if (child.exitCode === null) await once(child, 'exit')
    await rm(data, { recursive: true, force: true })
  }
  for (let attempt = 0; attempt < 300; attempt++) {
    if ((await fetch(`${url}/readyz`).catch(() => undefined))?.ok) {
      const map = await (await fetch(`${url}/sitemap.xml`)).text()
      const course = new URL(/<loc>([^<]*\/course\/[^<]*)</.exec(map)[1]).pathname
      return { url, course, signUp: (admin) => signUp(url, env, admin), stop }
    }
    await pause(100)
  }
  await stop()
  throw new Error('the server does not start')
}

/** A new account's session, as the browser keeps it. */
async function signUp(url, env, admin = false) {
  const email = `${randomUUID()}@example.com`
  const answer = await fetch(`${url}/auth/v1/signup`, {
    method: 'POST',
    headers: { apikey: apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: `velvet curtain ${randomUUID()}` }),
  })
  if (!answer.ok) throw new Error(`sign-up: ${await answer.text()}`)
  if (admin) await once(spawn(binary, ['admin', 'grant', '--unproven', email], { env, stdio: 'ignore' }), 'exit')
  return answer.text()
}

/** The page whole, as visitors find it: the first may get it without markup while the engine renders. */
export async function rendered(url) {
  for (let attempt = 0; attempt < 100; attempt++) {
    const page = await (await fetch(url)).text()
    if (!page.includes('<div id="root"></div>')) return
    await pause(200)
  }
  throw new Error(`${url} is not rendered`)
}

export const middle = (figures) => figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)]
