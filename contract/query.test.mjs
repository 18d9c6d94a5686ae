// All that the official client can put into a data request, and what comes back: filters, shapes, counts, writes.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { admin, dataClient, person } from './greenroom.mjs'

const visitor = dataClient()
const courses = (...args) => visitor.from('courses').select(...args)
let ada, boss, all

const ok = (answer) => {
  assert.equal(answer.error, null, JSON.stringify(answer.error))
  return answer
}
const refused = (answer, status, code) => {
  assert.deepEqual([answer.status, answer.error?.code], [status, code], JSON.stringify(answer))
  return answer.error
}
const titles = (answer) => ok(answer).data.map((row) => row.title)
/** The titles of the courses that a plain JavaScript condition keeps, in the order of the answer. */
const kept = (condition) => all.filter(condition).map((course) => course.title)

before(async () => {
  ;[ada, boss] = await Promise.all([person('ada'), admin('boss')])
  all = ok(await courses().order('title')).data
})

describe('filters say the same as JavaScript', () => {
  const cases = {
    eq: [(q) => q.eq('level', 'Beginner'), (c) => c.level === 'Beginner'],
    neq: [(q) => q.neq('level', 'Beginner'), (c) => c.level !== 'Beginner'],
    'neq empty': [(q) => q.neq('title', ''), () => true],
    'gt and lte': [(q) => q.gt('rating', 4.5).lte('rating', 4.8), (c) => c.rating > 4.5 && c.rating <= 4.8],
    'gte and lt': [(q) => q.gte('lessons', 10).lt('lessons', 20), (c) => c.lessons >= 10 && c.lessons < 20],
    like: [(q) => q.like('title', '%for%'), (c) => c.title.includes('for')],
    ilike: [(q) => q.ilike('title', '%FOR%'), (c) => /for/i.test(c.title)],
    likeAnyOf: [(q) => q.likeAnyOf('title', ['A%', 'M%']), (c) => /^[AM]/.test(c.title)],
    likeAllOf: [(q) => q.likeAllOf('title', ['%a%', '%e%']), (c) => c.title.includes('a') && c.title.includes('e')],
    ilikeAnyOf: [(q) => q.ilikeAnyOf('title', ['a%', 'm%']), (c) => /^[am]/i.test(c.title)],
    'is null': [(q) => q.is('launch_at', null), (c) => c.launch_at === null],
    'is true': [(q) => q.is('coming_soon', true), (c) => c.coming_soon],
    'not is null': [(q) => q.not('launch_at', 'is', null), (c) => c.launch_at !== null],
    isDistinct: [(q) => q.isDistinct('level', 'Beginner'), (c) => c.level !== 'Beginner'],
    in: [(q) => q.in('level', ['Beginner', 'Advanced']), (c) => ['Beginner', 'Advanced'].includes(c.level)],
    'in with commas and brackets': [(q) => q.in('title', ['a,b', 'c(d)', 'e"f', 'Documentary Filmmaking']), (c) => c.title === 'Documentary Filmmaking'],
    'in nothing': [(q) => q.in('level', []), () => false],
    notIn: [(q) => q.notIn('level', ['Beginner']), (c) => c.level !== 'Beginner'],
    'not in': [(q) => q.not('level', 'in', '(Beginner,Advanced)'), (c) => !['Beginner', 'Advanced'].includes(c.level)],
    or: [(q) => q.or('level.eq.Beginner,and(rating.gte.4.8,lessons.lt.20)'), (c) => c.level === 'Beginner' || (c.rating >= 4.8 && c.lessons < 20)],
    'or twice': [(q) => q.or('level.eq.Beginner,level.eq.Advanced').or('rating.gte.4.8,rating.lt.4.5'), (c) => ['Beginner', 'Advanced'].includes(c.level) && (c.rating >= 4.8 || c.rating < 4.5)],
    match: [(q) => q.match({ level: 'Beginner', category: 'AI Tools' }), (c) => c.level === 'Beginner' && c.category === 'AI Tools'],
    filter: [(q) => q.filter('category', 'eq', 'Acting & Performance'), (c) => c.category === 'Acting & Performance'],
    'a value that looks like syntax': [(q) => q.eq('title', 'eq.x,or=(a)&limit=0'), () => false],
  }
  for (const [name, [ask, condition]] of Object.entries(cases)) {
    test(name, async () => assert.deepEqual(titles(await ask(courses('title')).order('title')), kept(condition)))
  }
})

describe('what is left out says so', () => {
  for (const [name, ask, code, status = 400] of [
    ['contains', (q) => q.contains('title', ['a']), 'PGRST127'],
    ['overlaps', (q) => q.overlaps('title', ['a']), 'PGRST127'],
    ['textSearch', (q) => q.textSearch('title', 'go & fast', { type: 'websearch', config: 'english' }), 'PGRST127'],
    ['regexMatch', (q) => q.regexMatch('title', '^a'), 'PGRST127'],
    ['explain', (q) => q.explain(), 'PGRST107', 406],
    ['an unknown operator', (q) => q.filter('title', 'sounds', 'a'), 'PGRST100'],
    ['an embedded relation', () => ada.data.from('saved_courses').select('id,courses(id)'), 'PGRST127'],
    ['a relation that is none', () => courses('id,user_roles(id)'), 'PGRST200'],
    ['a cast', () => courses('rating::text'), 'PGRST127'],
    ['another schema', () => visitor.schema('private').from('courses').select(), 'PGRST106', 406],
  ]) {
    test(name, async () => refused(await ask(courses('title')), status, code))
  }
})

describe('shapes', () => {
  test('a page, its count and its end', async () => {
    const page = ok(await courses('title', { count: 'exact' }).order('title').range(10, 19))
    assert.deepEqual([page.status, page.count, page.data.length], [206, all.length, 10])
    assert.equal(page.data[0].title, all[10].title)
    assert.equal(ok(await courses('title').range(1000, 1001)).data.length, 0)
    refused(await courses('title', { count: 'exact' }).range(1000, 1001), 416, 'PGRST103')
  })

  test('counts without rows', async () => {
    for (const count of ['exact', 'planned', 'estimated']) {
      const answer = ok(await courses('*', { count, head: true }).eq('level', 'Beginner'))
      assert.deepEqual([answer.count, answer.data], [kept((c) => c.level === 'Beginner').length, null])
    }
  })

  test('two keys of order, nulls where one wants them', async () => {
    const sorted = titles(await courses('title').order('rating', { ascending: false }).order('title'))
    assert.deepEqual(sorted, [...all].sort((a, b) => b.rating - a.rating || (a.title < b.title ? -1 : 1)).map((c) => c.title))
    const first = ok(await courses('launch_at').order('launch_at', { nullsFirst: true }).limit(1).single()).data
    assert.equal(first.launch_at, null)
  })

  test('one row, one or none, and too many', async () => {
    const { data } = ok(await courses('id,name:title').eq('title', all[0].title).single())
    assert.deepEqual(data, { id: all[0].id, name: all[0].title })
    assert.equal(ok(await courses().eq('title', 'none').maybeSingle()).data, null)
    refused(await courses().single(), 406, 'PGRST116')
  })

  test('text for spreadsheets, and objects without nulls', async () => {
    const { data: csv } = ok(await courses('title,lessons').order('title').limit(2).csv())
    assert.equal(csv.split('\n').length, 3)
    assert.equal(csv.split('\n')[0], 'title,lessons')
    const { data } = ok(await courses('title,launch_at').is('launch_at', null).limit(1).stripNulls())
    assert.deepEqual(Object.keys(data[0]), ['title'])
  })
})

describe('writes', () => {
  const course = (title) => ({
    title, instructor: 'Ines Aguilar', duration: '3 weeks', category: 'Content Creation', thumbnail: 'https://example.com/x.jpg',
    description: 'One lamp, one room.', lessons: 9, level: 'Beginner', rating: 4.5,
  })

  test('insert, update and delete tell what they did', async () => {
    const table = boss.data.from('courses')
    const added = ok(await table.insert([course('Write A'), { ...course('Write B'), coming_soon: true }], { count: 'exact', defaultToNull: false }).select('id, title, coming_soon'))
    assert.deepEqual([added.status, added.count], [201, 2])
    assert.deepEqual(added.data.map((row) => [row.title, row.coming_soon]), [['Write A', false], ['Write B', true]])
    refused(await table.insert([course('Write C'), { ...course('Write D'), coming_soon: true }]), 400, '23502')
    const changed = ok(await table.update({ lessons: 10 }, { count: 'exact' }).eq('id', added.data[0].id).select('lessons').single())
    assert.deepEqual([changed.status, changed.count, changed.data.lessons], [200, 1, 10])
    assert.deepEqual(ok(await table.update({ lessons: 11 }).eq('title', 'none')).status, 204)
    refused(await table.update({ lessons: 12 }).like('title', 'Write %').maxAffected(1), 400, 'PGRST124')
    refused(await table.update({ lessons: 12 }), 400, '21000')
    refused(await table.update({ nope: 12 }).eq('title', 'none'), 400, 'PGRST204')
    refused(await table.delete().like('title', 'Write %').select().single(), 406, 'PGRST116')
    assert.equal(ok(await courses('id').like('title', 'Write %')).data.length, 2)
    const gone = ok(await table.delete({ count: 'exact' }).like('title', 'Write %').select('title'))
    assert.deepEqual([gone.status, gone.count, gone.data.length], [200, 2, 2])
  })

  test('an admin upserts a course by its id', async () => {
    const table = boss.data.from('courses')
    const row = { id: crypto.randomUUID(), ...course('Upsert A') }
    const added = ok(await table.upsert(row).select('id, title').single())
    assert.deepEqual([added.status, added.data], [201, { id: row.id, title: 'Upsert A' }])
    const merged = ok(await table.upsert([{ ...row, title: 'Upsert B' }], { onConflict: 'id' }).select('title'))
    assert.deepEqual([merged.status, merged.data], [200, [{ title: 'Upsert B' }]])
    const ignored = ok(await table.upsert({ ...row, title: 'Upsert C' }, { ignoreDuplicates: true }).select())
    assert.deepEqual([ignored.status, ignored.data], [201, []])
    refused(await ada.data.from('courses').upsert({ ...row, title: 'Upsert D' }), 403, '42501')
    refused(await table.insert(row), 409, '23505')
    const gone = ok(await table.delete().like('title', 'Upsert %').select('title'))
    assert.deepEqual(gone.data, [{ title: 'Upsert B' }])
  })

  test('upserts meet what is there', async () => {
    const row = { user_id: ada.id, course_id: all[0].id }
    const saved = ada.data.from('saved_courses')
    const once = ok(await saved.upsert(row, { onConflict: 'user_id,course_id', ignoreDuplicates: true }).select())
    assert.equal(once.data.length, 1)
    const again = ok(await saved.upsert([row], { onConflict: 'user_id,course_id', ignoreDuplicates: true }).select())
    assert.deepEqual([again.status, again.data], [201, []])
    refused(await saved.upsert(row, { onConflict: 'user_id,course_id' }), 403, '42501') // nobody may change a saved row
    refused(await saved.upsert(row, { onConflict: 'course_id', ignoreDuplicates: true }), 400, '42P10')
    assert.equal(refused(await saved.insert(row), 409, '23505').details, `Key (user_id, course_id)=(${ada.id}, ${all[0].id}) already exists.`)
  })
})
