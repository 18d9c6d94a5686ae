import type { Page } from '@playwright/test'
import { call } from './fixtures/rest'
import { invoke, School } from './fixtures/school'
import {
  test as base,
  expect,
  expectAccessible,
  expectAccessibleAtBothSizes,
  expectToast,
  open,
  openRendered,
  type Person,
} from './fixtures/test'

const test = base.extend<{ school: School }>({
  school: async ({ server }, use) => {
    const school = await School.open(server)
    await use(school)
    await school.end()
  },
})

const questions = [
  {
    id: 'lens',
    prompt: 'Where is the lens?',
    many: false,
    explanation: 'They look at your eyes.',
    choices: [
      { id: 'eyes', text: 'At the height of your eyes', correct: true },
      { id: 'chin', text: 'Below your chin', correct: false },
    ],
  },
  {
    id: 'light',
    prompt: 'What helps before the first take?',
    many: true,
    explanation: '',
    choices: [
      { id: 'light', text: 'Light in front of you', correct: true },
      { id: 'water', text: 'A glass of water', correct: true },
      { id: 'lamp', text: 'The ceiling lamp', correct: false },
    ],
  },
]

/** A published quiz, and a text after it. */
async function quizIn(school: School) {
  const section = await school.section('One')
  const lesson = await school.lesson(section, 'Check yourself', 'quiz')
  await school.invoke('save-quiz', { lesson, version: 1, questions })
  await school.invoke('publish-lesson', { lesson })
  await school.published(section, 'Sending it off')
  // A course of which there are certificates stays, and others count the courses.
  await call(school.server, 'PATCH', `course_offers?course_id=eq.${school.course}`, {
    token: school.boss,
    body: { certificate: false },
  })
  return lesson
}

const enroll = (school: School, { id, token }: Person) =>
  call(school.server, 'POST', 'enrollments', { token, body: { user_id: id, course_id: school.course } })

const group = (page: Page, name: RegExp) => page.getByRole('group', { name })
const check = (page: Page) => page.getByRole('button', { name: 'Check Answers' })

test.beforeEach(() => test.setTimeout(300_000))

test('a quiz is answered, explained, tried again and passed @both', async ({ page, school, signIn }) => {
  const lesson = await quizIn(school)
  const ada = await signIn()
  await enroll(school, ada)
  await open(page, `/learn/${school.course}/${lesson}`)
  await expect(page.getByText('2 questions · 80% to pass · try as often as you like')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Mark as complete' })).toHaveCount(0)
  await expectAccessibleAtBothSizes(page)

  await group(page, /Where is the lens/)
    .getByLabel('Below your chin')
    .check()
  await check(page).click()
  await expect(page.getByText('Answer every question first.')).toBeVisible()
  await expect(page.getByLabel('Light in front of you')).toBeFocused()
  await page.getByLabel('Light in front of you').check()
  await page.getByLabel('A glass of water').check()
  await check(page).click()
  await expect(page.getByRole('heading', { name: '50%. Not passed yet' })).toBeFocused()
  const lens = group(page, /Where is the lens/)
  await expect(lens.getByText('Your answer, wrong')).toBeVisible()
  await expect(lens.getByText('Right answer')).toBeVisible()
  await expect(lens.getByText('They look at your eyes.')).toBeVisible()
  await expectAccessibleAtBothSizes(page)

  await page.getByRole('button', { name: 'Try Again' }).first().click()
  await expect(page.getByText('Best result: 50%. Not passed yet.')).toBeVisible()
  await expect(page.getByText('They look at your eyes.')).toHaveCount(0)
  await page.getByLabel('At the height of your eyes').check()
  await page.getByLabel('Light in front of you').check()
  await page.getByLabel('A glass of water').check()
  await check(page).click()
  await expectToast(page, 'Lesson completed')
  await expect(page.getByRole('heading', { name: 'You passed with 100%' })).toBeVisible()
  await expect(page.getByText('Completed', { exact: true })).toBeVisible()
  await page.getByText('2 attempts').click()
  await expect(page.locator('.quiz-attempt')).toHaveText([/^100%Passed/, /^50%Not passed/])
  await page.getByRole('link', { name: 'Next Lesson' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Sending it off' })).toBeVisible()
  const { courses } = await invoke<{ courses: { done: number }[] }>(school.server, 'my-learning', {}, ada.token)
  expect(courses[0]?.done).toBe(1)
})

test('a quiz is taken by keyboard alone', async ({ page, school, signIn }) => {
  const lesson = await quizIn(school)
  await enroll(school, await signIn())
  await open(page, `/learn/${school.course}/${lesson}`)
  const { keyboard } = page
  await page.getByLabel('At the height of your eyes').focus()
  await keyboard.press('ArrowDown')
  await expect(page.getByLabel('Below your chin')).toBeChecked()
  await keyboard.press('ArrowUp')
  await expect(page.getByLabel('At the height of your eyes')).toBeChecked()
  await keyboard.press('Tab')
  await keyboard.press('Space')
  await keyboard.press('Tab')
  await keyboard.press('Space')
  await keyboard.press('Tab')
  await keyboard.press('Tab')
  await expect(check(page)).toBeFocused()
  await keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'You passed with 100%' })).toBeFocused()
  await keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Next Lesson' })).toBeFocused()
})

test('who looks into a preview reads the questions and is asked to enroll', async ({ page, school }) => {
  const lesson = await quizIn(school)
  await open(page, `/course/${school.course}`)
  await expect(page.getByText('Quiz', { exact: true })).toBeVisible()
  await page.getByRole('link', { name: 'Preview: Check yourself' }).click()
  await expect(page.getByText('Enroll to check your answers.')).toBeVisible()
  await expect(check(page)).toHaveCount(0)
  await expect(page).toHaveURL(`/learn/${school.course}/${lesson}`)
  await expectAccessible(page, 'main')
  expect(await openRendered(page, `/learn/${school.course}/${lesson}`)).toBe(200)
  await expect(page.getByText('Where is the lens?')).toBeVisible()
})

test('a quiz is written by keyboard, saved by itself, tried as a learner and published @both', async ({
  page,
  school,
  signIn,
  watch,
}) => {
  watch.allow(/status of 400 .*publish-lesson/)
  await school.section('One')
  await signIn({ admin: true })
  await open(page, `/teach/${school.course}`)
  const { keyboard } = page
  await page.getByRole('button', { name: 'Add lesson to One' }).click()
  await page.getByRole('radio', { name: 'Quiz' }).check({ force: true })
  await page.getByLabel('Title of the lesson').fill('Check yourself')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('link', { name: 'Check yourself' }).click()

  await page.getByRole('button', { name: 'Add question' }).focus()
  await keyboard.press('Enter')
  await expect(page.getByLabel('What you ask')).toBeFocused()
  await keyboard.type('Where is the lens?')
  await page.getByLabel('Text of choice 1 of question 1').focus()
  await keyboard.type('At your eyes')
  await keyboard.press('Enter')
  await expect(page.getByLabel('Text of choice 2 of question 1')).toBeFocused()
  await keyboard.type('Below your chin')
  await expect(page.getByLabel('Text of choice 3 of question 1'), 'the empty row was the next one').toHaveCount(0)
  await keyboard.press('Enter')
  await expect(page.getByLabel('Text of choice 3 of question 1')).toBeFocused()
  await keyboard.type('Behind you')
  await page.getByLabel('Explanation').fill('They look at your eyes.')
  await expect(page.getByRole('status').getByText('Saved')).toBeVisible()
  await expectAccessibleAtBothSizes(page)

  // Without a right choice nobody could pass it.
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await expectToast(page, 'Mark a right choice in question 1.')
  await expect(page.getByLabel('Right: choice 1 of question 1')).toBeFocused()
  await page.getByLabel('Right: choice 1 of question 1').check()

  const down = page.getByRole('button', { name: 'Move choice 1 of question 1 down' })
  await down.focus()
  await keyboard.press('Enter')
  await expect(page.getByLabel('Text of choice 2 of question 1')).toHaveValue('At your eyes')
  await expect(page.getByLabel('Right: choice 2 of question 1')).toBeChecked()
  await expect(page.getByRole('button', { name: 'Move choice 2 of question 1 down' })).toBeFocused()

  await page.getByRole('button', { name: 'Add question' }).click()
  await keyboard.type('What helps?')
  await page.getByRole('button', { name: 'Move question 2 up' }).focus()
  await keyboard.press('Enter')
  await expect(page.getByText('Question 2 is now number 1 of 2')).toBeAttached()
  await expect(page.getByRole('button', { name: 'Move question 1 up' })).toBeFocused()
  await page.getByRole('button', { name: 'Remove question 1' }).click()
  await page.getByRole('alertdialog', { name: 'Remove question 1?' }).getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByLabel('What you ask')).toHaveCount(2)
  await page.getByRole('button', { name: 'Remove question 1' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByLabel('What you ask')).toHaveValue('Where is the lens?')
  await expect(page.getByLabel('What you ask')).toBeFocused()

  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await expectToast(page, 'Lesson published')
  await page.getByLabel('Text of choice 3 of question 1').fill('Over your shoulder')
  await expect(page.getByText('Unpublished changes')).toBeVisible()
  await page.getByRole('link', { name: 'Preview as learner' }).click()
  await expect(page.getByText('Preview. Learners see the published version.')).toBeVisible()
  await page.getByLabel('Over your shoulder').check()
  await check(page).click()
  await expect(page.getByRole('heading', { name: '0%. Not passed yet' })).toBeVisible()
  await page.goBack()
  await expect(page.getByLabel('Text of choice 3 of question 1')).toHaveValue('Over your shoulder')
  await page.getByRole('button', { name: 'Publish changes' }).click()
  await expect(page.getByText('Unpublished changes')).toHaveCount(0)
})

test('of two who write one quiz the later is told, and loses nothing', async ({ page, school, signIn, watch }) => {
  watch.allow(/status of 409 .*save-quiz/)
  const lesson = await school.lesson(await school.section('One'), 'Check yourself', 'quiz')
  await school.invoke('save-quiz', { lesson, version: 1, questions })
  await signIn({ admin: true })
  await open(page, `/teach/${school.course}?lesson=${lesson}`)
  await expect(page.getByLabel('What you ask')).toHaveCount(2)
  await school.invoke('save-quiz', { lesson, version: 2, questions: questions.slice(0, 1) })
  await page.getByLabel('What you ask').first().fill('Where does the lens stand?')
  await expect(page.getByText('Somebody else changed this lesson. Reload to see their version.')).toBeVisible()
  await expectAccessible(page, 'main')
  await page.getByRole('button', { name: 'Reload' }).click()
  await expect(page.getByLabel('What you ask')).toHaveCount(1)
  await page.getByRole('button', { name: 'Put mine back' }).click()
  await expect(page.getByLabel('What you ask').first()).toHaveValue('Where does the lens stand?')
  await expect(page.getByLabel('What you ask')).toHaveCount(2)
  await expect(page.getByRole('status').getByText('Saved')).toBeVisible()
  const kept = await school.invoke<{ questions: object[] }>('studio-quiz', { lesson })
  expect(kept.questions).toHaveLength(2)
})

test('who may only look sees the key and changes nothing', async ({ page, school, signIn }) => {
  const lesson = await quizIn(school)
  const ada = await signIn()
  await school.teacher(ada.id, false)
  await open(page, `/teach/${school.course}?lesson=${lesson}`)
  await expect(page.getByLabel('Right: choice 1 of question 1')).toBeChecked()
  await expect(page.getByLabel('Right: choice 1 of question 1')).toBeDisabled()
  await expect(page.getByLabel('What you ask').first()).not.toBeEditable()
  await expect(page.getByRole('button', { name: /^(Add|Remove|Move|Publish)/ })).toHaveCount(0)
  await expectAccessibleAtBothSizes(page)
})
