// A second instance with settings of its own, and the letters that either of them sends.
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { url } from './greenroom.mjs'

/** Starts the binary once more: beside the first on PostgreSQL, on a file of its own with SQLite. */
export async function anotherInstance(settings) {
  const shared = Boolean(process.env.GREENROOM_DATABASE_URL)
  const data = shared ? process.env.GREENROOM_DATA : mkdtempSync(join(tmpdir(), 'greenroom-'))
  const server = spawn(process.env.CONTRACT_BINARY, ['serve'], {
    env: { ...process.env, GREENROOM_DATA: data, GREENROOM_LISTEN: '127.0.0.1:0', ...settings },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = new Promise((resolve) => server.on('exit', resolve))
  const address = await new Promise((resolve, reject) => {
    createInterface(server.stderr).on('line', (text) => {
      const line = JSON.parse(text)
      if (line.msg === 'serving') resolve(line.address)
    })
    ended.then((code) => reject(new Error(`the second instance ended with ${code}`)))
  })
  return {
    url: `http://${address}`,
    mail: join(data, 'mail'),
    async stop() {
      server.kill('SIGTERM')
      await ended
      if (!shared) rmSync(data, { recursive: true })
    },
  }
}

/** All letters to an address, oldest first, once there are as many as expected. */
export async function lettersTo(email, expected, folder = process.env.CONTRACT_MAIL) {
  for (const end = Date.now() + 5000; ; ) {
    const found = letters(folder).filter((text) => text.toLowerCase().includes(`<${email.toLowerCase()}>`))
    if (found.length >= expected) return found
    if (Date.now() > end) throw new Error(`${found.length} letters to ${email}, expected ${expected}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

function letters(folder) {
  let names = []
  try {
    names = readdirSync(folder).filter((name) => name.endsWith('.eml')).sort()
  } catch {
    // The folder comes with the first letter.
  }
  return names.map((name) => readFileSync(join(folder, name), 'utf8').replace(/=\r?\n/g, '').replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))))
}

/** What a reader does with a letter: see its code, open its link. */
export function open(letter, server = url) {
  const found = letter.match(/https?:\/\/[^\s"<>]+\/auth\/v1\/verify\?[^\s"<>]+/)?.[0].replaceAll('&amp;', '&')
  const link = found && found.replace(/^https?:\/\/[^/]+/, server)
  return {
    link,
    code: letter.match(/^\s*(\d{6})\s*$/m)?.[1] ?? letter.match(/\b\d{6}\b/)?.[0],
    /** Opens the link as a browser does: the page, then its form. Gives where it lands. */
    async follow() {
      const page = await (await fetch(link)).text()
      const fields = [...page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)].map(([, name, value]) => [name, value.replaceAll('&amp;', '&').replaceAll('&#43;', '+')])
      const answer = await fetch(`${server}/auth/v1/verify`, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })
      if (answer.status !== 303) throw new Error(`the form answered ${answer.status} ${await answer.text()}`)
      return new URL(answer.headers.get('location'))
    },
  }
}
