// Every data call that the product makes, through the official client.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { admin, dataClient, person, uniqueEmail } from './greenroom.mjs'

const workshop = 'Screen Acting and Professional Preparation Workshop'
const nobody = '00000000-0000-0000-0000-000000000000'

const ok = ({ error, ...rest }) => {
  assert.equal(error, null, JSON.stringify(error))
  return rest
}

let ada, bob, boss
const visitor = dataClient()
before(async () => {
  ;[ada, bob, boss] = await Promise.all([person('ada'), person('bob'), admin('boss')])
})

describe('courses', () => {
  test('a visitor reads the 28, newest first', async () => {
    const { data, count } = ok(await visitor.from('courses').select('*', { count: 'exact' }).order('created_at', { ascending: false }))
    assert.equal(count, 28)
    assert.equal(data.length, 28)
    const times = data.map((course) => Date.parse(course.created_at))
    assert.deepEqual(times, [...times].sort((a, b) => b - a))
    assert.deepEqual(Object.keys(data[0]), [
      'id', 'title', 'instructor', 'duration', 'category', 'thumbnail', 'description', 'lessons', 'level', 'rating', 'coming_soon', 'launch_at', 'created_at',
      'learn', 'audience', 'outcome', 'instructor_bio',
    ])
  })

  test('the four coming soon are those of the catalogue', async () => {
    const { data } = ok(await visitor.from('courses').select('title').is('coming_soon', true).order('title'))
    assert.deepEqual(data.map((course) => course.title), [
      'Cinematography Masterclass', 'Documentary Filmmaking', 'Music Production with AI', 'Screenwriting for Streaming',
    ])
  })

  test('the search form answers with an exact count, case-insensitive', async () => {
    const search = (text) =>
      visitor.from('courses').select('*', { count: 'exact' }).limit(24)
        .or(['title', 'instructor', 'category', 'description'].map((column) => `${column}.ilike."*${text}*"`).join(','))
    const { data, count } = ok(await search('ACTING'))
    assert.ok(count >= 3 && data.length === Math.min(count, 24))
    for (const course of data) {
      assert.match(`${course.title} ${course.instructor} ${course.category} ${course.description}`, /acting/i)
    }
    assert.equal(ok(await search('no such thing anywhere')).count, 0)
    assert.equal(ok(await search('\\\\*')).count, 0, 'a star that is made literal is a star')
  })

  test('an admin adds and deletes a course; learners see it at once', async () => {
    const course = {
      title: 'Lighting for One', instructor: 'Ines Aguilar', duration: '3 weeks', category: 'Content Creation',
      thumbnail: 'https://example.com/light.jpg', description: 'One lamp, one room.', lessons: 9, level: 'Beginner', rating: 4.5,
    }
    const { status } = ok(await boss.data.from('courses').insert([course]))
    assert.equal(status, 201)
    const { data } = ok(await visitor.from('courses').select('*').eq('title', course.title).single())
    assert.equal(data.rating, 4.5)
    assert.equal(data.coming_soon, false)
    assert.equal(ok(await boss.data.from('courses').delete().eq('id', data.id)).status, 204)
    assert.equal(ok(await visitor.from('courses').select('id').eq('id', data.id).maybeSingle()).data, null)
  })

  test('a learner and a visitor may not', async () => {
    const course = { title: 'x', instructor: 'x', duration: 'x', category: 'AI Tools', thumbnail: '', description: 'x', lessons: 1, level: 'Beginner', rating: 4 }
    for (const [client, status] of [[visitor, 401], [ada.data, 403]]) {
      const answer = await client.from('courses').insert([course])
      assert.equal(answer.status, status)
      assert.equal(answer.error.code, '42501')
    }
    const { data } = ok(await visitor.from('courses').select('id').limit(1).single())
    assert.equal(ok(await ada.data.from('courses').delete().eq('id', data.id)).status, 204)
    assert.equal(ok(await visitor.from('courses').select('id').eq('id', data.id)).data.length, 1)
  })
})

describe('saved_courses', () => {
  test('save, see, save again, unsave', async () => {
    const { data: course } = ok(await visitor.from('courses').select('id').limit(1).single())
    const row = { user_id: ada.id, course_id: course.id }
    assert.equal(ok(await ada.data.from('saved_courses').insert(row)).status, 201)
    assert.equal(ok(await ada.data.from('saved_courses').select('course_id').eq('user_id', ada.id)).data[0].course_id, course.id)
    const again = await ada.data.from('saved_courses').insert(row)
    assert.equal(again.status, 409)
    assert.equal(again.error.code, '23505')
    assert.match(again.error.message, /duplicate key value violates unique constraint "saved_courses_user_id_course_id_key"/)
    assert.deepEqual(ok(await bob.data.from('saved_courses').select('id')).data, [])
    assert.equal(ok(await ada.data.from('saved_courses').delete().eq('user_id', ada.id).eq('course_id', course.id)).status, 204)
    assert.deepEqual(ok(await ada.data.from('saved_courses').select('id').eq('user_id', ada.id)).data, [])
  })

  test("nobody saves into another's list", async () => {
    const { data: course } = ok(await visitor.from('courses').select('id').limit(1).single())
    const answer = await bob.data.from('saved_courses').insert({ user_id: ada.id, course_id: course.id })
    assert.equal(answer.status, 403)
    assert.equal(answer.error.code, '42501')
    const unknown = await bob.data.from('saved_courses').insert({ user_id: bob.id, course_id: nobody })
    assert.equal(unknown.status, 409)
    assert.equal(unknown.error.code, '23503')
  })
})

describe('course_waitlist', () => {
  test('the card joins, the page leaves', async () => {
    const row = { user_id: ada.id, course_title: 'Documentary Filmmaking', email: ada.email }
    assert.equal(ok(await ada.data.from('course_waitlist').insert([row])).status, 201)
    const { data: found } = ok(await ada.data.from('course_waitlist').select('id').eq('user_id', ada.id).eq('course_title', row.course_title).maybeSingle())
    assert.ok(found.id)
    const again = await ada.data.from('course_waitlist').insert({ ...row, name: null })
    assert.equal(again.error.code, '23505')
    const { data: mine } = ok(await ada.data.from('course_waitlist').select('*').eq('user_id', ada.id).order('created_at', { ascending: false }))
    assert.equal(mine[0].course_title, row.course_title)
    assert.ok(mine[0].course_id, 'the entry keeps the id of its course')
    ok(await ada.data.from('course_waitlist').insert({ ...row, course_title: 'Cinematography Masterclass', name: ' Ada L. ' }))
    const { data: named } = ok(await ada.data.from('course_waitlist').select('name').eq('course_title', 'Cinematography Masterclass').single())
    assert.equal(named.name, 'Ada L.')
    assert.equal(ok(await bob.data.from('course_waitlist').delete().eq('id', found.id)).status, 204)
    assert.equal(ok(await ada.data.from('course_waitlist').select('id').eq('id', found.id)).data.length, 1)
    assert.equal(ok(await ada.data.from('course_waitlist').delete().eq('id', found.id)).status, 204)
    assert.equal(ok(await ada.data.from('course_waitlist').select('id').eq('id', found.id).maybeSingle()).data, null)
  })

  test('a visitor registers for the workshop, twice is once', async () => {
    const row = { name: 'Vera', email: uniqueEmail('vera'), course_title: workshop }
    const left = async () => ok(await visitor.from('workshops').select('spots_left').eq('title', workshop).single()).data.spots_left
    const before = await left()
    assert.equal(ok(await visitor.from('course_waitlist').insert(row)).status, 201)
    assert.equal(ok(await visitor.from('course_waitlist').insert({ ...row, email: row.email.toUpperCase() })).status, 201)
    assert.equal(await left(), before - 1)
    assert.deepEqual(ok(await visitor.from('course_waitlist').select('*')).data, [])
    const { data } = ok(await boss.data.from('course_waitlist').select('*').eq('email', row.email).order('created_at', { ascending: false }))
    assert.equal(data.length, 1)
    assert.equal(data[0].user_id, null)
    assert.ok(data[0].spot >= 1 && data[0].spot <= 12)
  })

  test('a row without a user must name a workshop', async () => {
    const answer = await visitor.from('course_waitlist').insert({ name: 'V', email: uniqueEmail(), course_title: 'Documentary Filmmaking' })
    assert.equal(answer.status, 401)
    assert.equal(answer.error.code, '42501')
  })

  test("nobody joins for another, or with another's address", async () => {
    for (const row of [
      { user_id: ada.id, course_title: 'Documentary Filmmaking', email: ada.email },
      { user_id: bob.id, course_title: 'Documentary Filmmaking', email: ada.email },
    ]) {
      const answer = await bob.data.from('course_waitlist').insert([row])
      assert.equal(answer.status, 403, JSON.stringify(answer))
      assert.equal(answer.error.code, '42501')
    }
  })
})

describe('course_recommendations', () => {
  test('a recommendation and an inquiry, told apart by the server', async () => {
    const rows = [
      { user_id: ada.id, course_title: 'Puppetry', course_description: 'Please.', instructor_name: 'Odile', email: ada.email },
      { user_id: ada.id, course_title: 'Help: sign-in', course_description: 'Name: Ada\nMessage: help', instructor_name: 'Help Center', email: ada.email },
    ]
    assert.equal(ok(await ada.data.from('course_recommendations').insert(rows)).status, 201)
    const { data } = ok(await boss.data.from('course_recommendations').select('*').eq('user_id', ada.id).order('created_at', { ascending: false }))
    assert.deepEqual(data.map((row) => row.kind).sort(), ['help', 'recommendation'])
    assert.deepEqual(ok(await ada.data.from('course_recommendations').select('*')).data, [])
  })

  test('a visitor writes with the nil id, as a contact message only', async () => {
    const message = { user_id: nobody, course_title: 'Hello', course_description: 'Message: hi', instructor_name: 'Contact: Vera', email: uniqueEmail() }
    assert.equal(ok(await visitor.from('course_recommendations').insert([message])).status, 201)
    const answer = await visitor.from('course_recommendations').insert([{ ...message, instructor_name: 'Help Center' }])
    assert.equal(answer.status, 401)
    assert.equal(answer.error.code, '42501')
  })
})

describe('user_roles', () => {
  const role = (one) => one.data.from('user_roles').select('role').eq('user_id', one.id).eq('role', 'admin').maybeSingle()
  test('an admin is told so, others are not', async () => {
    assert.deepEqual(ok(await role(boss)).data, { role: 'admin' })
    assert.equal(ok(await role(ada)).data, null)
    assert.deepEqual(ok(await ada.data.from('user_roles').select('*').eq('user_id', boss.id)).data, [])
    const { error } = await ada.data.from('user_roles').insert({ user_id: ada.id, role: 'admin' })
    assert.equal(error.code, '42501')
  })
})

test('what is not there is refused in the dialect', async () => {
  assert.equal((await visitor.from('course').select()).error.code, 'PGRST205')
  assert.equal((await visitor.from('courses').select('nope')).error.code, '42703')
  assert.equal((await visitor.from('courses').select().eq('id', 'abc')).error.code, '22P02')
  assert.equal((await visitor.from('courses').select().eq('id', nobody).single()).error.code, 'PGRST116')
  assert.equal((await visitor.rpc('nope')).error.code, 'PGRST202')
  assert.equal((await dataClient('a.b.c').from('courses').select()).status, 401)
})
