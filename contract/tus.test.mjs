// Uploads in pieces, by the client that Supabase's documentation names for them.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import net from 'node:net'
import { Readable } from 'node:stream'
import { before, describe, test } from 'node:test'
import { Upload } from 'tus-js-client'
import { admin, storageClient, url } from './greenroom.mjs'

const endpoint = `${url}/storage/v1/upload/resumable`
const piece = 6 * 1024 * 1024
const content = Buffer.from(Uint8Array.from({ length: 20 * 1024 * 1024 }, (_, i) => (i * 31 + (i >> 13)) & 255))
content.set([0, 0, 1, 0xba]) // as an MPEG film begins
let boss
before(async () => {
  boss = await admin('boss')
  boss.storage = storageClient(boss.token)
})

/** What an upload is made of; more overrides it. */
const settings = (objectName, more = {}) => ({
  endpoint,
  headers: { authorization: `Bearer ${boss.token}`, ...more.headers },
  metadata: { bucketName: 'lessons', objectName, contentType: 'video/mpeg', cacheControl: '3600', metadata: JSON.stringify({ of: 'us' }) },
  chunkSize: piece,
  uploadDataDuringCreation: true,
  retryDelays: null,
  ...Object.fromEntries(Object.entries(more).filter(([name]) => name !== 'headers')),
})

/** Sends all of it, or to where `until` says that it is enough. */
const sent = (body, options, until) =>
  new Promise((resolve, reject) => {
    const upload = new Upload(body, {
      ...options,
      onError: reject,
      onSuccess: () => resolve(upload),
      onChunkComplete: (_, done) => until?.(done) && upload.abort().then(() => resolve(upload)),
    })
    upload.start()
  })
const stored = async (name) => Buffer.from(await (await boss.storage.from('lessons').download(name)).data.arrayBuffer())
const refused = async (promise, status, text) => {
  const error = await promise.then(() => assert.fail('it went through'), (e) => e)
  assert.deepEqual([error.originalResponse?.getStatus(), error.originalResponse?.getBody()], [status, text])
}

describe('uploads in pieces', () => {
  test('20 MiB in pieces of 6 come back the same, with what was said of them', async () => {
    const name = `film ${randomUUID()}.mpg`
    const offsets = []
    await sent(content, settings(name), (done) => void offsets.push(done))
    assert.deepEqual(offsets, [piece, 2 * piece, 3 * piece, content.length])
    assert.ok(content.equals(await stored(name)))
    const { data } = await boss.storage.from('lessons').info(name)
    assert.deepEqual([data.size, data.contentType, data.cacheControl, data.metadata], [content.length, 'video/mpeg', 'max-age=3600', { of: 'us' }])
    await refused(sent(content, settings(name)), 409, 'The resource already exists')
    await sent(content.subarray(0, 100), settings(name, { headers: { 'x-upsert': 'true' } }))
    assert.equal((await stored(name)).length, 100)
  })

  test('one that was broken off goes on where it was', async () => {
    const name = `film-${randomUUID()}`
    const first = await sent(content, settings(name), (done) => done >= piece)
    const sizes = []
    await sent(content, settings(name, { uploadUrl: first.url, onAfterResponse: (r) => void sizes.push(r.getMethod()) }))
    assert.equal(sizes[0], 'HEAD')
    assert.ok(sizes.filter((m) => m === 'PATCH').length <= 3, sizes.join())
    assert.ok(content.equals(await stored(name)))
  })

  test('a network that breaks twice loses nothing', async () => {
    const name = `film-${randomUUID()}`
    let cuts = 2
    const to = new URL(url)
    const bad = net.createServer((from) => {
      const on = net.connect(Number(to.port), to.hostname)
      let seen = 0
      from.on('data', (part) => {
        seen += part.length
        if (cuts > 0 && seen > 3_000_000) {
          cuts--
          from.destroy()
          on.destroy()
        }
      })
      from.pipe(on).pipe(from)
      for (const one of [from, on]) one.on('error', () => {})
    })
    await new Promise((resolve) => bad.listen(0, '127.0.0.1', resolve))
    try {
      await sent(content, settings(name, { endpoint: `http://127.0.0.1:${bad.address().port}/storage/v1/upload/resumable`, uploadDataDuringCreation: false, retryDelays: [0, 50, 100, 200, 400] }))
    } finally {
      bad.close()
    }
    assert.equal(cuts, 0)
    assert.ok(content.equals(await stored(name)))
  })

  test('a stream without a length, a link, and an end', async () => {
    const name = `stream-${randomUUID()}`
    await sent(Readable.from([content.subarray(0, 1000), content.subarray(1000, 9000)]), settings(name, { uploadLengthDeferred: true, chunkSize: 4000, uploadDataDuringCreation: false }))
    assert.ok(content.subarray(0, 9000).equals(await stored(name)))
    const linked = `linked-${randomUUID()}`
    const { data } = await boss.storage.from('lessons').createSignedUploadUrl(linked)
    const made = await sent(content, { ...settings(linked, { endpoint: `${endpoint}/sign` }), headers: { 'x-signature': data.token } })
    assert.match(made.url, /\/upload\/resumable\/sign\//)
    assert.ok(content.equals(await stored(linked)))
    const dead = await sent(content, settings(`dead-${randomUUID()}`), (done) => done >= piece)
    await dead.abort(true)
    const answer = await fetch(dead.url, { method: 'HEAD', headers: { authorization: `Bearer ${boss.token}`, 'tus-resumable': '1.0.0' } })
    assert.equal(answer.status, 404)
  })

  test('what is refused is said', async () => {
    await refused(sent(content, { ...settings('x'), headers: { authorization: 'Bearer sb_publishable_contract_tests' } }), 403, 'new row violates row-level security policy')
    await refused(sent(content, { ...settings('x'), metadata: { bucketName: 'lessons', objectName: 'x', contentType: 'text/html' } }), 415, 'mime type text/html is not supported')
    await refused(sent(Buffer.from('<html><script>1</script>'), settings(`x-${randomUUID()}`)), 415, 'mime type text/html is not supported')
    const asked = await fetch(endpoint, { method: 'OPTIONS' })
    assert.deepEqual(['tus-version', 'tus-extension', 'tus-max-size', 'tus-resumable'].map((n) => asked.headers.get(n)), ['1.0.0', 'creation,creation-with-upload,creation-defer-length,termination,expiration', '21474836480', '1.0.0'])
    assert.equal(asked.status, 204)
  })
})
