// What a recording of the browser tells of a page's main thread. Turns count by the processor time that they took, four
// times over, as on a phone: to slow the browser itself down would take what else the machine does for the page's.
export const slowdown = 4

export async function record(page, work) {
  const categories = ['toplevel', 'blink.animations', 'blink.user_timing', 'devtools.timeline']
  categories.push('disabled-by-default-devtools.timeline', 'disabled-by-default-devtools.timeline.frame')
  await page.tracing.start({ categories })
  await work()
  return JSON.parse(new TextDecoder().decode(await page.tracing.stop())).traceEvents
}

/** What the main thread of the page did. Browsers keep a spare process beside the page's, which does less. */
export function pageOf(events) {
  const mains = events.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
  const work = mains.map((main) =>
    events.filter(({ pid, tid, ph }) => pid === main.pid && tid === main.tid && ph === 'X'),
  )
  return work.toSorted((a, b) => b.length - a.length)[0]
}

/** What each turn of the main thread takes on the phone, in ms; `ts` and `end` are when it was here, in µs. */
export const turnsOf = (events) =>
  pageOf(events)
    .filter(({ name }) => name === 'RunTask')
    .map(({ ts, tdur, dur }) => ({ ts, end: ts + dur, ms: ((tdur ?? dur) / 1000) * slowdown }))

/** What of the turns falls between two moments, in ms on the phone. */
export const workBetween = (turns, from, until) =>
  sum(
    turns.map(({ ts, end, ms }) => {
      const share = (Math.min(end, until) - Math.max(ts, from)) / (end - ts || 1)
      return share > 0 ? ms * Math.min(share, 1) : 0
    }),
  )

/**
 * What each interaction keeps the phone busy with, from the finger to the next picture, in ms. The page's part of a picture
 * ends when it hands it over (Commit): what the main thread does while the picture is put on the screen delays nothing.
 */
export function interactionsOf(events) {
  const turns = turnsOf(events)
  const timings = events.filter(({ name }) => name === 'EventTiming')
  const commits = events.filter(({ name, ph }) => name === 'Commit' && ph === 'X').toSorted((a, b) => a.ts - b.ts)
  const slowest = new Map()
  for (const begun of timings.filter(({ ph, args }) => ph === 'b' && args.data.interactionId > 0)) {
    const ended = timings.find(
      ({ ph, id, id2, pid }) =>
        ph === 'e' && pid === begun.pid && (id ?? id2?.local) === (begun.id ?? begun.id2?.local),
    )
    const { interactionId, type, timeStamp, processingEnd } = begun.args.data
    const answered = begun.ts + (processingEnd - timeStamp) * 1000
    const shown = commits.find(({ pid, ts }) => pid === begun.pid && ts >= answered)
    const until = Math.min(shown ? shown.ts + shown.dur : Number.POSITIVE_INFINITY, ended?.ts ?? answered)
    const ms = workBetween(turns, begun.ts, until)
    if (ms >= (slowest.get(interactionId)?.ms ?? 0)) slowest.set(interactionId, { type, ms, from: begun.ts, until })
  }
  return [...slowest.values()]
}

export const sum = (figures) => figures.reduce((total, figure) => total + figure, 0)
