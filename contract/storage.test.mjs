// Every storage call of the official client.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { admin, key, person, storageClient, url } from './greenroom.mjs'

const service = storageClient(process.env.GREENROOM_SERVICE_KEY)
const visitor = storageClient()
let ada, boss, box
before(async () => {
  ;[ada, boss] = await Promise.all([person('ada'), admin('boss')])
  for (const one of [ada, boss]) one.storage = storageClient(one.token)
  box = `box-${randomUUID()}`
  ok(await service.createBucket(box))
})

const ok = ({ data, error }) => {
  assert.equal(error, null, JSON.stringify(error))
  return data
}
const refused = ({ data, error }, statusCode, code, message) => {
  assert.equal(data, null)
  assert.deepEqual([error.statusCode, error.code, error.message], [statusCode, code, message])
  return error
}
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(64, 7)])
const text = async (blob) => Buffer.from(await blob.arrayBuffer()).toString()

describe('buckets', () => {
  test('are made, shown, listed, changed and deleted', async () => {
    const id = `b-${randomUUID()}`
    assert.deepEqual(ok(await service.createBucket(id, { public: true, fileSizeLimit: '20mb', allowedMimeTypes: ['image/png', 'text/*'] })), { name: id })
    const made = ok(await service.getBucket(id))
    assert.deepEqual(Object.keys(made).sort(), ['allowed_mime_types', 'created_at', 'file_size_limit', 'id', 'name', 'owner', 'public', 'updated_at'])
    assert.deepEqual([made.id, made.name, made.owner, made.public, made.file_size_limit, made.allowed_mime_types], [id, id, '', true, 20000000, ['image/png', 'text/*']])
    assert.match(made.created_at, time)
    const listed = ok(await service.listBuckets({ search: id, limit: 5, offset: 0, sortColumn: 'created_at', sortOrder: 'desc' }))
    assert.deepEqual(listed.map((b) => [b.id, b.type]), [[id, 'STANDARD']])
    assert.deepEqual(ok(await service.updateBucket(id, { public: false })), { message: 'Successfully updated' })
    const changed = ok(await service.getBucket(id))
    assert.deepEqual([changed.public, changed.file_size_limit], [false, 20000000])
    refused(await service.createBucket(id), '409', 'BucketAlreadyExists', 'The resource already exists')
    ok(await service.from(id).upload('a.txt', 'text', { contentType: 'text/plain' }))
    refused(await service.deleteBucket(id), '409', 'ResourceNotEmpty', 'The bucket you tried to delete is not empty')
    assert.match(ok(await service.emptyBucket(id)).message, /queued/)
    assert.deepEqual(ok(await service.deleteBucket(id)), { message: 'Successfully deleted' })
    refused(await service.getBucket(id), '404', 'NoSuchBucket', 'Bucket not found')
  })

  test('artwork and lessons are there for admins, and for nobody else', async () => {
    assert.deepEqual(ok(await boss.storage.listBuckets()).map((b) => b.id), ['artwork', 'lessons'])
    assert.deepEqual(ok(await ada.storage.listBuckets()), [])
    assert.deepEqual(ok(await visitor.listBuckets()), [])
    refused(await ada.storage.getBucket('lessons'), '404', 'NoSuchBucket', 'Bucket not found')
    refused(await boss.storage.createBucket('mine'), '403', 'AccessDenied', 'new row violates row-level security policy')
    refused(await boss.storage.updateBucket('lessons', { public: true }), '403', 'AccessDenied', 'new row violates row-level security policy')
    const { error } = await boss.storage.emptyBucket('lessons')
    assert.deepEqual([error.status, error.message], [403, 'Access denied: Invalid role'])
  })

  test('names, sizes and types are judged', async () => {
    refused(await service.createBucket(' a'), '400', 'InvalidBucketName', 'Bucket name invalid')
    refused(await service.createBucket('ä'), '400', 'InvalidBucketName', 'Bucket name invalid')
    refused(await service.createBucket(`b-${randomUUID()}`, { fileSizeLimit: '22gb' }), '413', 'EntityTooLarge', 'The object exceeded the maximum allowed size')
    refused(await service.createBucket(`b-${randomUUID()}`, { allowedMimeTypes: ['nonsense'] }), '415', 'InvalidMimeType', 'mime type nonsense is not supported')
  })
})

describe('objects', () => {
  test('go up in every form of body, and come back the same', async () => {
    const files = service.from(box)
    const bytes = Buffer.from(Array.from({ length: 3000 }, (_, i) => i % 251))
    const form = new FormData()
    form.append('', new Blob([bytes]), 'x.bin')
    form.append('cacheControl', '11') // behind the file
    const bodies = { buffer: bytes, blob: new Blob([bytes]), arrayBuffer: new Uint8Array(bytes).buffer, form, file: new File([bytes], 'x') }
    for (const [name, body] of Object.entries(bodies)) {
      const made = ok(await files.upload(`forms/${name}`, body))
      assert.deepEqual([made.path, made.fullPath], [`forms/${name}`, `${box}/forms/${name}`])
      assert.match(made.id, uuid)
      assert.deepEqual(Buffer.from(await ok(await files.download(`forms/${name}`)).arrayBuffer()), bytes, name)
    }
    assert.equal(ok(await files.info('forms/form')).cacheControl, 'max-age=11')
    const stream = new Blob([bytes]).stream()
    ok(await files.upload('forms/stream', stream, { duplex: 'half' }))
    const { data } = await files.download('forms/stream').asStream()
    assert.equal(Buffer.from(await new Response(data).arrayBuffer()).equals(bytes), true)
  })

  test('are replaced only when asked to, and keep their id', async () => {
    const files = service.from(box)
    const first = ok(await files.upload('once', 'one', { contentType: 'text/plain' }))
    refused(await files.upload('once', 'two'), '409', 'KeyAlreadyExists', 'The resource already exists')
    const before = ok(await files.info('once'))
    const second = ok(await files.upload('once', 'three', { upsert: true, contentType: 'text/plain' }))
    const after = ok(await files.info('once'))
    assert.deepEqual([second.id, after.createdAt], [first.id, before.createdAt])
    assert.notEqual(after.version, before.version)
    assert.equal(await text(ok(await files.download('once'))), 'three')
    ok(await files.update('once', 'four'))
    assert.equal(await text(ok(await files.download('once'))), 'four')
    ok(await files.update('never-there', 'five'))
    assert.equal(await text(ok(await files.download('never-there'))), 'five')
  })

  test('tell what is known of them', async () => {
    const files = service.from(box)
    ok(await files.upload('told.txt', new Blob(['hello'], { type: 'text/plain' }), { cacheControl: '77', metadata: { some_key: 'täxt', n: 1 } }))
    const info = ok(await files.info('told.txt'))
    assert.deepEqual(Object.keys(info).sort(), ['bucketId', 'cacheControl', 'contentType', 'createdAt', 'etag', 'id', 'lastModified', 'metadata', 'name', 'size', 'version'])
    assert.deepEqual([info.size, info.contentType, info.cacheControl, info.metadata], [5, 'text/plain', 'max-age=77', { someKey: 'täxt', n: 1 }])
    assert.match(info.etag, /^"[0-9a-f]{32}"$/)
    assert.deepEqual(await files.exists('told.txt'), { data: true, error: null })
    assert.equal((await files.exists('untold.txt')).data, false)
    await assert.rejects(() => service.from('no-such-bucket').exists('x'), { code: 'NoSuchBucket' })
    ok(await files.upload('raw.txt', 'hello', { metadata: { a: 'b' }, contentType: 'text/plain', cacheControl: '5' }))
    assert.deepEqual(ok(await files.info('raw.txt')).metadata, { a: 'b' })
  })

  test('move, copy and go', async () => {
    const files = service.from(box)
    const other = `other-${randomUUID()}`
    ok(await service.createBucket(other))
    const made = ok(await files.upload('trip/a', 'bytes', { metadata: { k: 'v' }, contentType: 'text/plain' }))
    assert.deepEqual(ok(await files.move('trip/a', 'trip/b')), { message: 'Successfully moved' })
    const moved = ok(await files.info('trip/b'))
    assert.equal(moved.id, made.id)
    assert.equal((await files.exists('trip/a')).data, false)
    assert.deepEqual(ok(await files.move('trip/b', 'trip/b')), { message: 'Successfully moved' })
    assert.deepEqual(ok(await files.copy('trip/b', 'trip/c')), { path: `${box}/trip/c` })
    const copied = ok(await files.info('trip/c'))
    assert.notEqual(copied.id, made.id)
    assert.deepEqual(copied.metadata, { k: 'v' })
    assert.deepEqual(ok(await files.copy('trip/b', 'trip/d', { copyMetadata: false, metadata: { cacheControl: 'no-store' } })), { path: `${box}/trip/d` })
    assert.deepEqual([ok(await files.info('trip/d')).metadata, ok(await files.info('trip/d')).cacheControl], [{}, 'no-store'])
    assert.deepEqual(ok(await files.copy('trip/b', 'x', { destinationBucket: other })), { path: `${other}/x` })
    assert.deepEqual(ok(await files.move('trip/b', 'y', { destinationBucket: other })), { message: 'Successfully moved' })
    assert.equal(await text(ok(await service.from(other).download('y'))), 'bytes')
    refused(await files.copy('trip/c', 'trip/d'), '409', 'KeyAlreadyExists', 'The resource already exists')
    refused(await files.move('trip/c', 'trip/d'), '409', 'ResourceAlreadyExists', 'The resource already exists')
    refused(await files.move('trip/none', 'trip/e'), '404', 'NoSuchKey', 'Object not found')
    refused(await files.copy('trip/c', 'z', { destinationBucket: 'nowhere' }), '404', 'NoSuchBucket', 'The related resource does not exist')
    const gone = ok(await files.remove(['trip/c', 'trip/none', 'trip/d']))
    assert.deepEqual(gone.map((o) => o.name).sort(), ['trip/c', 'trip/d'])
    assert.deepEqual(Object.keys(gone[0]).sort(), ['bucket_id', 'created_at', 'id', 'last_accessed_at', 'metadata', 'name', 'owner', 'owner_id', 'updated_at', 'user_metadata', 'version'])
    refused(await files.remove([]), '400', 'InvalidRequest', 'body/prefixes must NOT have fewer than 1 items')
    refused(await files.download('trip/c'), '404', 'NoSuchKey', 'Object not found')
  })

  test('bad keys, types, sizes and older versions are refused', async () => {
    const files = service.from(box)
    for (const key of ['ä.txt', 'a\u0001b', 'emoji-🎬', 'x'.repeat(1025), 'a#b', 'a[b']) {
      const { error } = await files.upload(encodeURIComponent(key), 'x')
      assert.deepEqual([error.statusCode, error.code], ['400', 'InvalidKey'], key)
    }
    const only = `only-${randomUUID()}`
    ok(await service.createBucket(only, { allowedMimeTypes: ['image/png'], fileSizeLimit: 100 }))
    ok(await service.from(only).upload('a.png', png, { contentType: 'image/png' }))
    refused(await service.from(only).upload('b.jpg', png, { contentType: 'image/jpeg' }), '415', 'InvalidMimeType', 'mime type image/jpeg is not supported')
    refused(await service.from(only).upload('c.png', '<svg xmlns="http://www.w3.org/2000/svg"/>', { contentType: 'image/png' }), '415', 'InvalidMimeType', 'mime type image/svg+xml is not supported')
    refused(await service.from(only).upload('d.png', Buffer.alloc(101), { contentType: 'image/png' }), '413', 'EntityTooLarge', 'The object exceeded the maximum allowed size')
    refused(await service.from(only).upload('d.png', new Blob([png, png], { type: 'image/png' })), '413', 'EntityTooLarge', 'The object exceeded the maximum allowed size')
    refused(await service.from('none').upload('a', 'x'), '404', 'NoSuchBucket', 'Bucket not found')
    refused(await files.info('once', { versionId: 'x' }), '400', 'InvalidRequest', 'versionId is not supported')
    refused(await files.upload('e', new Blob(['x']), { contentEncoding: 'gzip' }), '400', 'InvalidRequest', 'contentEncoding is not supported')
    const { error } = await service.purgeBucketCache(box)
    assert.equal(error, null)
  })
})

describe('lists', () => {
  let files
  before(async () => {
    const id = `list-${randomUUID()}`
    ok(await service.createBucket(id))
    files = service.from(id)
    for (const name of ['b.txt', 'A.txt', 'dir/one', 'dir/Two', 'dir/deep/x', 'dir%a', 'Dir2/y', 'a/b']) ok(await files.upload(name.replaceAll('%', '$'), name))
  })
  const names = (list) => list.map((o) => o.name)

  test('one folder, without case, by name and by time', async () => {
    const root = ok(await files.list())
    assert.deepEqual(names(root), ['a', 'A.txt', 'b.txt', 'dir', 'dir$a', 'Dir2'])
    assert.deepEqual(root[0], { name: 'a', id: null, updated_at: null, created_at: null, last_accessed_at: null, metadata: null })
    assert.deepEqual(Object.keys(root[1]).sort(), ['created_at', 'id', 'last_accessed_at', 'metadata', 'name', 'updated_at'])
    assert.deepEqual(Object.keys(root[1].metadata).sort(), ['cacheControl', 'contentLength', 'eTag', 'httpStatusCode', 'lastModified', 'mimetype', 'size'])
    assert.deepEqual(names(ok(await files.list('dir'))), ['deep', 'one', 'Two'])
    assert.deepEqual(names(ok(await files.list('DIR/', { search: 'T' }))), ['Two'])
    assert.deepEqual(names(ok(await files.list('dir', { limit: 1, offset: 1 }))), ['one'])
    assert.deepEqual(names(ok(await files.list('', { sortBy: { column: 'created_at', order: 'desc' } }))), ['Dir2', 'a', 'dir', 'dir$a', 'A.txt', 'b.txt'])
    assert.deepEqual(names(ok(await files.list('', { search: '_' }))), [])
    assert.deepEqual(ok(await service.from('no-such-bucket').list()), [])
    assert.deepEqual(ok(await ada.storage.from('lessons').list()), [])
  })

  test('all names by bytes, from a cursor on', async () => {
    const all = []
    for (let cursor; ; ) {
      const page = ok(await files.listV2({ limit: 3, ...(cursor ? { cursor } : {}) }))
      assert.deepEqual(page.folders, [])
      all.push(...names(page.objects))
      if (!page.hasNext) break
      cursor = page.nextCursor
    }
    assert.deepEqual(all, ['A.txt', 'Dir2/y', 'a/b', 'b.txt', 'dir$a', 'dir/Two', 'dir/deep/x', 'dir/one'])
    const tree = []
    for (let cursor; ; ) {
      const page = ok(await files.listV2({ limit: 2, with_delimiter: true, ...(cursor ? { cursor } : {}) }))
      tree.push(...[...page.folders, ...page.objects].map((o) => `${o.name} ${o.key}`))
      if (!page.hasNext) break
      cursor = page.nextCursor
    }
    assert.deepEqual(tree.sort(), ['A.txt A.txt', 'Dir2/ Dir2', 'a/ a', 'b.txt b.txt', 'dir$a dir$a', 'dir/ dir'])
    const timed = []
    for (let cursor; ; ) {
      const page = ok(await files.listV2({ prefix: 'dir/', limit: 1, sortBy: { column: 'created_at', order: 'desc' }, ...(cursor ? { cursor } : {}) }))
      timed.push(...names(page.objects))
      if (!page.hasNext) break
      cursor = page.nextCursor
    }
    assert.deepEqual(timed, ['dir/deep/x', 'dir/Two', 'dir/one'])
    refused(await files.listV2({ cursor: 'nonsense' }), '400', 'InvalidParameter', 'Invalid Parameter continuation token')
  })
})

describe('links', () => {
  test('read without any key until the object changes', async () => {
    const files = boss.storage.from('lessons')
    const path = `l/${randomUUID()} a.txt`
    ok(await files.upload(path, 'lesson', { contentType: 'text/plain' }))
    const { signedUrl } = ok(await files.createSignedUrl(path, 60))
    const answer = await fetch(signedUrl)
    assert.equal(await answer.text(), 'lesson')
    assert.ok(Date.parse(answer.headers.get('expires')) > Date.now())
    assert.equal((await fetch(signedUrl, { method: 'HEAD' })).headers.get('content-length'), '6')
    const saved = await fetch(ok(await files.createSignedUrl(path, 60, { download: 'o.txt' })).signedUrl)
    assert.equal(saved.headers.get('content-disposition'), "attachment; filename=o.txt; filename*=UTF-8''o.txt")
    const many = ok(await files.createSignedUrls([path, 'none'], 60))
    assert.deepEqual([many[0].error, many[0].path, many[1].signedUrl], [null, path, null])
    assert.equal((await fetch(many[0].signedUrl)).status, 200)
    for (const [bad, code] of [
      [signedUrl.slice(0, -3) + 'AAA', 'InvalidJWT'], [signedUrl.replace('a.txt', 'b.txt'), 'InvalidSignature'],
      [signedUrl.replace(/token=.*/, ''), 'InvalidRequest'], [signedUrl.replace(/token=.*/, `token=${boss.token}`), 'InvalidJWT'],
    ]) {
      const answer = await fetch(bad)
      assert.deepEqual([answer.status, (await answer.json()).code], [400, code])
    }
    ok(await files.update(path, 'replaced', { contentType: 'text/plain' }))
    assert.equal((await (await fetch(signedUrl)).json()).code, 'NoSuchKey')
    refused(await ada.storage.from('lessons').createSignedUrl(path, 60), '404', 'NoSuchKey', 'Object not found')
    refused(await files.createSignedUrl(path, 0), '400', 'InvalidRequest', 'body/expiresIn must be >= 1')
  })

  test('take one upload from anybody', async () => {
    const files = boss.storage.from('lessons')
    const path = `up/${randomUUID()}.txt`
    const { token } = ok(await files.createSignedUploadUrl(path))
    const nobody = storageClient().from('lessons')
    assert.equal(ok(await nobody.uploadToSignedUrl(path, token, new Blob(['one'], { type: 'text/plain' }))).fullPath, `lessons/${path}`)
    refused(await nobody.uploadToSignedUrl(path, token, 'two'), '409', 'KeyAlreadyExists', 'The resource already exists')
    refused(await nobody.uploadToSignedUrl('elsewhere.txt', token, 'two'), '400', 'InvalidSignature', 'Invalid signature')
    const again = ok(await files.createSignedUploadUrl(path, { upsert: true })).token
    ok(await nobody.uploadToSignedUrl(path, again, 'two', { contentType: 'text/plain' }))
    ok(await nobody.uploadToSignedUrl(path, again, 'three', { contentType: 'text/plain' }))
    const { signedUrl } = ok(await files.createSignedUrl(path, 60))
    refused(await nobody.uploadToSignedUrl(path, new URL(signedUrl).searchParams.get('token'), 'x'), '400', 'InvalidSignature', 'Token is not scoped for upload')
    const swapped = new URL(signedUrl)
    swapped.searchParams.set('token', again)
    assert.equal((await (await fetch(swapped)).json()).code, 'InvalidSignature')
    refused(await ada.storage.from('lessons').createSignedUploadUrl('x'), '403', 'AccessDenied', 'new row violates row-level security policy')
  })
})

describe('reading', () => {
  test('public buckets are everybody\'s, by ranges and conditions', async () => {
    const files = boss.storage.from('artwork')
    const path = `r/${randomUUID()}.png`
    ok(await files.upload(path, png, { contentType: 'image/png' }))
    const address = files.getPublicUrl(path).data.publicUrl
    const whole = await fetch(address)
    assert.deepEqual(Buffer.from(await whole.arrayBuffer()), png)
    const head = Object.fromEntries(['content-type', 'accept-ranges', 'cache-control', 'x-robots-tag', 'x-content-type-options'].map((n) => [n, whole.headers.get(n)]))
    assert.deepEqual(head, { 'content-type': 'image/png', 'accept-ranges': 'bytes', 'cache-control': 'max-age=3600', 'x-robots-tag': 'none', 'x-content-type-options': 'nosniff' })
    const part = async (range) => {
      const answer = await fetch(address, { headers: { range } })
      return [answer.status, answer.headers.get('content-range'), (await answer.arrayBuffer()).byteLength]
    }
    assert.deepEqual(await part('bytes=0-7'), [206, 'bytes 0-7/72', 8])
    assert.deepEqual(await part('bytes=70-'), [206, 'bytes 70-71/72', 2])
    assert.deepEqual(await part('bytes=-5'), [206, 'bytes 67-71/72', 5])
    for (const range of ['bytes=72-', 'bytes=0-1,3-4', 'bytes=5-2', 'lines=1-2', 'bytes=-0']) assert.equal((await part(range))[0], 416, range)
    assert.equal((await fetch(address, { headers: { 'if-none-match': whole.headers.get('etag') } })).status, 304)
    assert.equal((await fetch(address, { headers: { 'if-modified-since': whole.headers.get('last-modified') } })).status, 304)
    for (const other of ['/object/artwork/', '/object/info/public/artwork/', '/object/info/artwork/']) assert.equal((await fetch(`${url}/storage/v1${other}${path}`)).status, 200, other)
    assert.equal((await fetch(`${url}/storage/v1/object/authenticated/artwork/${path}`, { headers: { authorization: `Bearer ${ada.token}` } })).status, 200)
    assert.equal((await fetch(address, { method: 'HEAD' })).headers.get('content-length'), '72')
    assert.equal((await fetch(`${address}?download=`)).headers.get('content-disposition'), 'attachment;')
    refused(await ada.storage.from('artwork').upload('x.png', png, { contentType: 'image/png' }), '403', 'AccessDenied', 'new row violates row-level security policy')
    assert.deepEqual(ok(await ada.storage.from('artwork').remove([path])), [])
    assert.equal((await fetch(`${url}/storage/v1/object/artwork/${path}`, { method: 'DELETE', headers: { authorization: `Bearer ${ada.token}` } })).status, 400)
    assert.equal((await fetch(address)).status, 200)
  })

  test('what a browser would run, it does not run here', async () => {
    const id = `open-${randomUUID()}`
    ok(await service.createBucket(id, { public: true }))
    for (const [name, type, body] of [
      ['a.html', 'text/html', '<!doctype html><script>alert(1)</script>'], ['a.js', 'text/javascript', 'alert(1)'],
      ['a.svg', 'image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'], ['a.xml', 'application/xhtml+xml', '<?xml version="1.0"?><html/>'],
      ['a.png', 'image/png', '<html><script>alert(1)</script>'],
    ]) {
      ok(await service.from(id).upload(name, body, { contentType: type }))
      const answer = await fetch(service.from(id).getPublicUrl(name).data.publicUrl)
      assert.equal(answer.headers.get('content-security-policy'), "sandbox; default-src 'none'; frame-ancestors 'none'", name)
      assert.ok(answer.headers.get('content-type').startsWith('text/plain') || answer.headers.get('content-disposition')?.startsWith('attachment'), name)
    }
    ok(await service.updateBucket(id, { public: false }))
    assert.equal((await (await fetch(service.from(id).getPublicUrl('a.js').data.publicUrl)).json()).code, 'NoSuchBucket')
  })

  test('who asks, and for what', async () => {
    const ask = async (method, path, headers = {}, body) => {
      const answer = await fetch(`${url}/storage/v1${path}`, { method, headers, body })
      const said = await answer.text()
      return [answer.status, said && said.startsWith('{') ? JSON.parse(said) : said]
    }
    const error = (statusCode, error, message, code) => ({ statusCode, error, message, code })
    assert.deepEqual(await ask('GET', '/bucket'), [400, error('400', 'Error', "headers must have required property 'authorization'", 'InvalidRequest')])
    for (const bad of ['Bearer nonsense', 'Bearer', 'Basic x']) {
      assert.deepEqual(await ask('GET', '/bucket', { authorization: bad }), [400, error('403', 'Unauthorized', 'Invalid Compact JWS', 'AccessDenied')], bad)
    }
    assert.equal((await ask('GET', '/bucket', { authorization: `Bearer ${boss.token}` }))[0], 200, 'a bearer needs no apikey')
    assert.equal((await ask('GET', '/bucket', { authorization: `Bearer ${key}` }))[0], 200)
    assert.equal((await ask('GET', '/object/lessons/x', { authorization: 'Bearer nonsense' }))[1].code, 'NoSuchKey')
    assert.deepEqual(await ask('GET', '/x?y=1'), [404, error('404', 'Not Found', 'Route GET:/x not found', 'InvalidRequest')])
    for (const path of ['/render/image/public/artwork/x', '/s3/x', '/vector/x', '/iceberg/x', '/bucket/artwork/lifecycle']) assert.equal((await ask('GET', path))[0], 404, path)
    assert.deepEqual(await ask('GET', '/status'), [200, ''])
    assert.equal((await ask('GET', '/version'))[0], 200)
    const as = { authorization: `Bearer ${process.env.GREENROOM_SERVICE_KEY}` }
    const json = { ...as, 'content-type': 'application/json' }
    assert.deepEqual(await ask('POST', '/bucket', json, '{}'), [400, error('400', 'Error', "body must have required property 'name'", 'InvalidRequest')])
    assert.deepEqual(await ask('POST', '/bucket', json, '{'), [400, error('400', 'FastifyError', "Body is not valid JSON but content-type is set to 'application/json'", 'InvalidRequest')])
    assert.equal((await ask('POST', '/bucket', json, '{"name":"x","type":"ANALYTICS"}'))[0], 404)
    assert.equal((await ask('POST', `/object/list/${box}`, json, '{}'))[1].message, "body must have required property 'prefix'")
    assert.equal((await ask('DELETE', `/object/${box}`, json, '{"prefixes":[{"path":"a","versionId":"b"}]}'))[1].message, 'versionId is not supported')
    const empty = new FormData()
    empty.append('cacheControl', '1')
    assert.equal((await ask('POST', `/object/${box}/f`, as, empty))[1].message, 'No content provided')
    assert.deepEqual(await ask('DELETE', `/object/${box}/none`, as), [400, error('404', 'not_found', 'Object not found', 'NoSuchKey')])
    await service.from(box).upload('single', 'x')
    assert.deepEqual(await ask('DELETE', `/object/${box}/single`, as), [200, { message: 'Successfully deleted' }])
    const preflight = await fetch(`${url}/storage/v1/object/artwork/x`, { method: 'OPTIONS', headers: { origin: process.env.CONTRACT_SITE ?? 'http://localhost:8080' } })
    assert.equal(preflight.status, 204)
    assert.match(preflight.headers.get('access-control-allow-headers'), /x-upsert.*if-none-match/)
    assert.match(preflight.headers.get('access-control-expose-headers'), /Upload-Offset.*ETag/)
    const foreign = await fetch(`${url}/storage/v1/object/artwork/x`, { method: 'OPTIONS', headers: { origin: 'https://evil.example' } })
    assert.equal(foreign.headers.get('access-control-allow-origin'), null)
  })
})
