import { call, importCourses } from './fixtures/rest'
import { expect, open, test } from './fixtures/test'

// What has run as a script where it was shown as a text: elements, attributes, addresses, styles, templates, odd encodings.
const payloads = [
  '<script>alert(1)</script>',
  '<ScRiPt/x>alert(1)</sCrIpT>',
  '<img src=x onerror=alert(1)>',
  '<img/src/onerror=alert(1)>',
  '<svg onload=alert(1)>',
  '<svg><script>alert&#40;1)</script>',
  '<svg><animate onbegin=alert(1) attributeName=x dur=1s>',
  '<math><mi xlink:href="javascript:alert(1)">x</mi></math>',
  '<iframe srcdoc="<script>alert(1)</script>">',
  '<iframe src=javascript:alert(1)>',
  '<object data=javascript:alert(1)>',
  '<embed src=javascript:alert(1)>',
  '<a href="javascript:alert(1)">x</a>',
  '<a href=" javascript:alert(1)">x</a>',
  '<form><button formaction=javascript:alert(1)>x',
  '<input autofocus onfocus=alert(1)>',
  '<details open ontoggle=alert(1)>',
  '<video><source onerror=alert(1)>',
  '<body onload=alert(1)>',
  '<style>@import "javascript:alert(1)"</style>',
  '<link rel=stylesheet href=javascript:alert(1)>',
  '<meta http-equiv=refresh content="0;url=javascript:alert(1)">',
  '<base href=//evil.example/>',
  '<template><script>alert(1)</script></template>',
  '</title><script>alert(1)</script>',
  '</textarea><script>alert(1)</script>',
  '</script><script>alert(1)</script>',
  '<!--><script>alert(1)</script>-->',
  ']]><script>alert(1)</script>',
  '"><script>alert(1)</script>',
  `'><script>alert(1)</script>`,
  '" onmouseover=alert(1) x="',
  `' autofocus onfocus=alert(1) x='`,
  `\`$\{alert(1)}\``,
  '{{constructor.constructor("alert(1)")()}}',
  `$\{alert(1)}`,
  '\\u003cscript\\u003ealert(1)\\u003c/script\\u003e',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '%3Cscript%3Ealert(1)%3C/script%3E',
  '+ADw-script+AD4-alert(1)+ADw-/script+AD4-',
  'javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  '\u2028alert(1)\u2029',
  '{"__html":"<img src=x onerror=alert(1)>"}',
  '__proto__',
  'constructor',
]

// Each in five dresses.
const hostile = payloads.flatMap((text) => [text, `x${text}`, `"${text}`, `${text}'`, text.toUpperCase()])

test('no stored text runs as a script (security 55) @both', async ({ page, ownServer, signIn, watch }) => {
  test.slow()
  const dialogs: string[] = []
  page.on('dialog', async (dialog) => {
    dialogs.push(dialog.message())
    await dialog.dismiss()
  })
  expect(hostile.length).toBeGreaterThan(200)
  await importCourses(
    ownServer,
    hostile.map((text, index) => ({
      title: `${text} ${index}`,
      instructor: text,
      description: text,
      duration: text.slice(0, 50),
      rating: 5,
    })),
  )
  const { id, email, token } = await signIn({ admin: true, on: ownServer })
  const message = (text: string) => ({
    user_id: id,
    email,
    course_title: text,
    course_description: text,
    instructor_name: text,
  })
  await call(ownServer, 'POST', 'course_recommendations', { token, body: payloads.map(message) })
  const [first, second] = (await (
    await call(ownServer, 'GET', 'courses?select=id,title&order=created_at.desc,id.asc&limit=2')
  ).json()) as { id: string; title: string }[]
  await call(ownServer, 'PATCH', `courses?id=eq.${second?.id}`, {
    token,
    body: { thumbnail: '/art/x" onerror="alert(1).webp' },
  }).catch(() => null)
  watch.allow(/404/)

  for (const path of [
    '/',
    '/trending',
    `/course/${first?.id}`,
    `/course/${second?.id}`,
    `/search?q=${encodeURIComponent('<script>alert(1)</script>')}`,
    `/search?q=${encodeURIComponent('"><img src=x onerror=alert(1)>')}`,
    '/admin',
  ]) {
    await open(page, ownServer.url + path)
    await page.waitForLoadState('networkidle')
    // Nothing of what was typed has become an element.
    const made = page.locator(
      '#root :is([onerror], [onload], [onfocus], [onmouseover], [ontoggle], [onbegin], iframe, object, embed, base)',
    )
    await expect(made, path).toHaveCount(0)
    expect(await page.locator('a[href^="javascript:" i]').count(), path).toBe(0)
  }
  await page.getByRole('tab', { name: /^Recommendations/ }).click()
  await expect(page.getByRole('listitem').filter({ hasText: 'alert(1)' }).first()).toBeVisible()
  expect(dialogs).toEqual([])
})
