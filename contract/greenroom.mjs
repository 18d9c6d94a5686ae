// What the client tests share: the official clients against the server that the environment names.
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { AuthClient } from '@supabase/auth-js'
import { FunctionsClient } from '@supabase/functions-js'
import { PostgrestClient } from '@supabase/postgrest-js'
import { StorageClient } from '@supabase/storage-js'

export const url = process.env.CONTRACT_URL
export const key = process.env.CONTRACT_KEY
const mailFolder = process.env.CONTRACT_MAIL

/** An auth client with a storage of its own, as a browser tab has. */
export function authClient(options = {}) {
  const kept = new Map()
  return new AuthClient({
    url: `${url}/auth/v1`,
    headers: { apikey: key },
    autoRefreshToken: false,
    persistSession: true,
    storage: {
      getItem: (name) => kept.get(name) ?? null,
      setItem: (name, value) => void kept.set(name, value),
      removeItem: (name) => void kept.delete(name),
    },
    ...options,
  })
}

/** The data API as a visitor, or as the holder of a token. */
export function dataClient(token = key) {
  return new PostgrestClient(`${url}/rest/v1`, {
    headers: { apikey: key, Authorization: `Bearer ${token}` },
    schema: 'public',
    retry: false,
  })
}

/** The functions as a visitor, or as the holder of a token. */
export function functionsClient(token) {
  return new FunctionsClient(`${url}/functions/v1`, {
    headers: { apikey: key, ...(token ? { Authorization: `Bearer ${token}` } : {}) },
  })
}

/** The storage as a visitor, or as the holder of a token. */
export function storageClient(token = key) {
  return new StorageClient(`${url}/storage/v1`, { apikey: key, Authorization: `Bearer ${token}` })
}

export const uniqueEmail = (name = 'someone') => `${name}-${randomUUID()}@example.com`
export const password = 'a long enough passphrase'

/** A new person, signed in. */
export async function person(name) {
  const auth = authClient()
  const email = uniqueEmail(name)
  const { data, error } = await auth.signUp({ email, password })
  if (error) throw error
  const token = data.session.access_token
  return { auth, email, id: data.user.id, token, data: dataClient(token), functions: functionsClient(token) }
}

/** Runs a command of the binary beside the server. */
export const greenroom = (...args) => execFileSync(process.env.CONTRACT_BINARY, args, { encoding: 'utf8' })

export async function admin(name = 'admin') {
  const one = await person(name)
  greenroom('admin', 'grant', '--unproven', one.email)
  // A role that another process granted counts within a second.
  await new Promise((resolve) => setTimeout(resolve, 1100))
  return one
}

/** The newest letter to an address, waiting for the worker to send it. */
export async function letterTo(email, { within = 5000 } = {}) {
  for (const end = Date.now() + within; ; ) {
    for (const file of list().reverse()) {
      const text = readFileSync(join(mailFolder, file), 'utf8')
      if (text.toLowerCase().includes(`<${email.toLowerCase()}>`)) return decode(text)
    }
    if (Date.now() > end) throw new Error(`no letter to ${email}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

function list() {
  try {
    return readdirSync(mailFolder).filter((name) => name.endsWith('.eml')).sort()
  } catch {
    return []
  }
}

// Quoted-printable is all that our letters use.
function decode(text) {
  return text.replace(/=\r?\n/g, '').replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
}
