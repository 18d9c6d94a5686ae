// Taking a course, through the official client: enroll, report progress, read it, be put out.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { admin, dataClient, functionsClient, person } from './greenroom.mjs'

const ok = ({ error, data, ...rest }) => {
  assert.equal(error, null, JSON.stringify(error))
  return { data, ...rest }
}

/** What a function answered, or its refusal: the official client keeps the answer in the error. */
async function call(who, name, body) {
  const { data, error } = await who.functions.invoke(name, { body })
  if (!error) return data
  const refusal = await error.context.json()
  throw Object.assign(new Error(`${name}: ${error.context.status} ${refusal.message}`), { status: error.context.status, said: refusal.message })
}

const bitmap = (steps) => {
  const bits = Buffer.alloc(Math.ceil((Math.max(...steps) + 1) / 8))
  for (const n of steps) bits[n >> 3] |= 1 << (n & 7)
  return bits.toString('base64')
}

let ada, eve, boss, course
const lessons = []
const visitor = { data: dataClient(), functions: functionsClient() }

before(async () => {
  ;[ada, eve, boss] = await Promise.all([person('ada'), person('eve'), admin('boss')])
  course = ok(await visitor.data.from('courses').select('id,title').is('coming_soon', false).limit(1).single()).data
  const section = ok(await boss.data.from('course_sections').insert({ course_id: course.id, title: 'Before you begin' }).select().single()).data
  for (const title of ['The first one', 'The second one']) {
    const lesson = ok(
      await boss.data.from('lessons').insert({ course_id: course.id, section_id: section.id, title, kind: 'text' }).select().single(),
    ).data
    const { draft_version } = await call(boss, 'studio-lesson', { lesson: lesson.id })
    await call(boss, 'save-draft', { lesson: lesson.id, body: `# ${title}`, draft_version })
    await call(boss, 'publish-lesson', { lesson: lesson.id })
    lessons.push(lesson)
  }
})

describe('a course', () => {
  const enroll = (who) => who.data.from('enrollments').insert({ user_id: who.id, course_id: course.id })

  test('shows its lessons to everybody, and what they hold to who takes it', async () => {
    const { data } = ok(await visitor.data.from('lessons').select('id,title,preview').eq('course_id', course.id).order('position'))
    assert.deepEqual(data.map((lesson) => lesson.title), ['The first one', 'The second one'])
    assert.equal((await call(visitor, 'lesson', { lesson: lessons[0].id })).body, '# The first one', 'the first is a preview')
    const second = await call(visitor, 'lesson', { lesson: lessons[1].id })
    assert.deepEqual([second.access, second.body, second.video, second.files, second.progress], ['enroll', '', null, [], null])
    await assert.rejects(call(ada, 'save-progress', { lesson: lessons[0].id, complete: true }), { status: 403, said: 'This lesson is for enrolled learners' })
  })

  test('is enrolled in once, and ends the wait for it', async () => {
    ok(await ada.data.from('course_waitlist').insert({ user_id: ada.id, course_title: course.title, email: ada.email }))
    assert.equal(ok(await enroll(ada)).status, 201)
    assert.equal((await enroll(ada)).error.code, '23505')
    assert.deepEqual(ok(await ada.data.from('course_waitlist').select('*')).data, [])
    const { data } = ok(await ada.data.from('enrollments').select('*').single())
    assert.deepEqual(Object.keys(data), [
      'id', 'user_id', 'course_id', 'source', 'started_at', 'completed_at', 'revoked_at', 'revoked_for', 'opened_all', 'created_at',
    ])
    assert.deepEqual([data.source, data.started_at, data.opened_all], ['free', null, false])
    assert.deepEqual(ok(await eve.data.from('enrollments').select('*')).data, [], 'nobody sees who else takes it')
    const forged = await eve.data.from('enrollments').insert({ user_id: ada.id, course_id: course.id })
    assert.equal(forged.error.code, '42501')
    const other = ok(await visitor.data.from('courses').select('id').neq('id', course.id).is('coming_soon', false).limit(1).single()).data
    const empty = await ada.data.from('enrollments').insert({ user_id: ada.id, course_id: other.id })
    assert.deepEqual([empty.status, empty.error.hint], [403, 'This course has no lessons yet.'])
  })

  test('keeps how far somebody came', async () => {
    assert.equal((await call(ada, 'lesson', { lesson: lessons[1].id })).access, 'open')
    assert.notEqual(ok(await ada.data.from('enrollments').select('started_at').single()).data.started_at, null)
    const told = await call(ada, 'save-progress', {
      lesson: lessons[0].id, position_seconds: 12.5, at: new Date().toISOString(), covered: bitmap([0, 1, 9]), speed: 125, captions: 'en',
    })
    assert.deepEqual(told, { position_seconds: 12, covered: '', completed_at: null, course_completed_at: null, done: 0, of: 2, certificate: null })
    const again = await call(ada, 'lesson', { lesson: lessons[0].id })
    assert.deepEqual([again.progress.position_seconds, again.settings], [12, { speed: 125, captions: 'en' }])
    const [first] = await Promise.all(lessons.map((lesson) => call(ada, 'save-progress', { lesson: lesson.id, position_seconds: 0, complete: true })))
    assert.equal(first.of, 2)
    const { data } = ok(await ada.data.from('lesson_progress').select('*').order('created_at'))
    assert.equal(data.length, 2)
    assert.ok(data.every((row) => row.completed_at && row.user_id === ada.id))
    assert.equal((await ada.data.from('lesson_progress').update({ completed_at: null }).eq('user_id', ada.id)).error.code, '42501')
    assert.deepEqual(ok(await eve.data.from('lesson_progress').select('*')).data, [])
    const { courses } = await call(ada, 'my-learning', {})
    assert.deepEqual([courses.length, courses[0].course_id, courses[0].done, courses[0].of, courses[0].next_lesson], [1, course.id, 2, 2, null])
    assert.ok(courses[0].completed_at)
    const undone = await call(ada, 'save-progress', { lesson: lessons[1].id, position_seconds: 0, complete: false })
    assert.deepEqual([undone.done, undone.completed_at], [1, null])
    assert.ok(undone.course_completed_at, 'nothing takes that back')
  })

  test('is taken back by an admin, and given', async () => {
    const place = boss.data.from('enrollments').update({ revoked_at: new Date().toISOString(), revoked_for: 'A refund' })
    const { data } = ok(await place.eq('course_id', course.id).eq('user_id', ada.id).select())
    assert.equal(data.length, 1)
    assert.equal((await call(ada, 'lesson', { lesson: lessons[1].id })).access, 'enroll')
    await assert.rejects(call(ada, 'save-progress', { lesson: lessons[1].id, complete: true }), { status: 403 })
    assert.equal((await enroll(ada)).error.code, '23505')
    assert.equal(ok(await ada.data.from('lesson_progress').select('id')).data.length, 2, 'what was theirs is')
    assert.equal((await call(ada, 'my-learning', {})).courses[0].revoked, true)
    await assert.rejects(call(ada, 'grant-course', { course: course.id, email: ada.email }), { status: 403 })
    // Anybody could have signed up with an address that nobody has proven: what is given by address waits for that.
    await assert.rejects(call(boss, 'grant-course', { course: course.id, email: ada.email }), { status: 409 })
    ok(await boss.data.from('enrollments').update({ revoked_at: null }).eq('id', data[0].id))
    assert.equal((await call(ada, 'lesson', { lesson: lessons[1].id })).access, 'open')
  })

  test('tells its teachers who takes it', async () => {
    const { learners } = await call(boss, 'learners', { course: course.id })
    assert.deepEqual(learners.map(({ email, done, of }) => [email, done, of]), [[ada.email, 1, 2]])
    const { learners: count, lessons: stages } = await call(boss, 'funnel', { course: course.id })
    assert.deepEqual([count, stages.map(({ reached, completed }) => [reached, completed])], [1, [[1, 1], [1, 0]]])
    await assert.rejects(call(eve, 'learners', { course: course.id }), { status: 403 })
    const { data, error } = await boss.functions.invoke(`export-learners?course=${course.id}`, { method: 'GET' })
    assert.equal(error, null)
    const text = typeof data === 'string' ? data : await data.text()
    assert.match(text, /name,email,enrolled_at/)
    assert.ok(text.includes(ada.email))
  })

  test('is left by who took it for free', async () => {
    assert.equal(ok(await enroll(eve)).status, 201)
    assert.equal(ok(await eve.data.from('enrollments').delete().eq('course_id', course.id).select()).data.length, 1)
    assert.deepEqual((await call(eve, 'my-learning', {})).courses, [])
  })
})
