import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { BackendError, orThrow, rest, run } from '@/lib/backend'
import { call } from '@/lib/functions'
import type { Read } from '@/lib/read'
import { rowsOf } from '@/lib/rows'
import { toast } from '@/ui/toast'
import { refusalOr, useTeachKey } from './api'
import { type Lesson, type Order, type Outline, orderOf, outlineOf, type Section, withLesson } from './outline'

const sectionColumns = { id: 'string', title: 'string', position: 'number' } as const

const lessonColumns = {
  id: 'string',
  section_id: 'string',
  title: 'string',
  kind: ['text', 'video', 'quiz'],
  position: 'number',
  state: ['draft', 'published'],
  preview: 'boolean',
  release_days: 'number?',
  release_at: 'string?',
  seconds: 'number',
} as const

const inOrder = [
  ['position', 'asc'],
  ['id', 'asc'],
] as const

const sectionsOf = (course: string): Read<Section> => ({
  table: 'course_sections',
  columns: sectionColumns,
  where: [['course_id', 'eq', course]],
  order: inOrder,
  limit: 200,
})

const lessonsIn = (course: string): Read<Lesson> => ({
  table: 'lessons',
  columns: lessonColumns,
  where: [['course_id', 'eq', course]],
  order: inOrder,
  limit: 500,
})

async function readOutline(course: string, signal?: AbortSignal): Promise<Outline> {
  const [sections, lessons] = await Promise.all([run(sectionsOf(course), signal), run(lessonsIn(course), signal)])
  return outlineOf(sections.rows, lessons.rows)
}

export function useOutlineKey(course: string) {
  return [...useTeachKey(), 'curriculum', course] as const
}

export function useOutline(course: string) {
  return useQuery({
    queryKey: useOutlineKey(course),
    queryFn: ({ signal }) => readOutline(course, signal),
    staleTime: 0,
  })
}

/** Changes the outline on this screen. A read that is under way may be older than the change, and is called off. */
function patchOutline(client: QueryClient, key: readonly unknown[], change: (outline: Outline) => Outline) {
  void client.cancelQueries({ queryKey: key })
  client.setQueryData<Outline>(key, (known) => known && change(known))
}

/**
 * Saves the order whenever it changes: one call for the whole of it, one at a time, and the newest order last. Others wait
 * for it with `settled`, so that what is added or removed never meets an order that does not know of it.
 */
export function useArrange(course: string) {
  const client = useQueryClient()
  const key = useOutlineKey(course)
  const latest = useRef({ client, key })
  latest.current = { client, key }
  const wire = useRef({ isDue: false, running: null as Promise<void> | null, told: 0, was: [] as Order })
  useEffect(() => () => clearTimeout(wire.current.told), [])

  const send = async () => {
    while (wire.current.isDue) {
      wire.current.isDue = false
      const outline = latest.current.client.getQueryData<Outline>(latest.current.key)
      if (!outline) return
      try {
        const sections = orderOf(outline)
        await call('arrange-lessons', { course, sections, was: wire.current.was })
        wire.current.was = sections
      } catch (error) {
        wire.current.isDue = false
        toast.error(refusalOr(error, 'Failed to save the order. Please try again.'))
        await client.invalidateQueries({ queryKey: key })
        return
      }
    }
    // Said once after many steps.
    clearTimeout(wire.current.told)
    wire.current.told = window.setTimeout(() => toast.success('Order saved'), 700)
  }
  const settled = () => wire.current.running ?? Promise.resolve()
  const arrange = (next: Outline) => {
    clearTimeout(wire.current.told)
    const before = client.getQueryData<Outline>(key)
    // Whoever changes an order says which one that was: another tab may have changed it as well.
    if (!wire.current.running && before) wire.current.was = orderOf(before)
    patchOutline(client, key, () => next)
    wire.current.isDue = true
    wire.current.running ??= send().finally(() => {
      wire.current.running = null
    })
  }
  return { arrange, settled }
}

type Settled = () => Promise<void>

export function useAddSection(course: string, settled: Settled) {
  const client = useQueryClient()
  const key = useOutlineKey(course)
  return useMutation({
    mutationFn: async (title: string) => {
      await settled()
      const table = (await rest()).from('course_sections')
      const { data } = orThrow(await table.insert({ course_id: course, title }).select(names(sectionColumns)).single())
      return rowsOf<Section>(sectionColumns, [data])[0] as Section
    },
    onSuccess: (section) => patchOutline(client, key, (outline) => [...outline, { ...section, lessons: [] }]),
    onError: (error) => toast.error(refusalOr(error, 'Failed to add the section. Please try again.')),
  })
}

export type NewLesson = { section: string; title: string; kind: Lesson['kind'] }

export function useAddLesson(course: string, settled: Settled) {
  const client = useQueryClient()
  const key = useOutlineKey(course)
  return useMutation({
    mutationFn: async ({ section, title, kind }: NewLesson) => {
      await settled()
      const row = { course_id: course, section_id: section, title, kind }
      const { data } = orThrow(await (await rest()).from('lessons').insert(row).select(names(lessonColumns)).single())
      return rowsOf<Lesson>(lessonColumns, [data])[0] as Lesson
    },
    onSuccess: (lesson) =>
      patchOutline(client, key, (outline) =>
        outline.map((chapter) =>
          chapter.id === lesson.section_id ? { ...chapter, lessons: [...chapter.lessons, lesson] } : chapter,
        ),
      ),
    onError: (error) => toast.error(refusalOr(error, 'Failed to add the lesson. Please try again.')),
  })
}

export function useRenameSection(course: string) {
  const client = useQueryClient()
  const key = useOutlineKey(course)
  return useMutation({
    mutationFn: async ({ id, title }: { id: string; title: string }) => {
      orThrow(await (await rest()).from('course_sections').update({ title }).eq('id', id).select('id').single())
    },
    onMutate: ({ id, title }) => {
      const before = client.getQueryData<Outline>(key)
      patchOutline(client, key, (outline) => outline.map((one) => (one.id === id ? { ...one, title } : one)))
      return before
    },
    onError: (error, _, before) => {
      client.setQueryData(key, before)
      toast.error(refusalOr(error, 'Failed to rename the section. Please try again.'))
    },
  })
}

type LessonChange = { id: string } & Partial<Pick<Lesson, 'title' | 'preview' | 'release_days' | 'release_at'>>

/** Changes what stands in the list about a lesson, at once; what was refused goes back. */
export function useChangeLesson(course: string) {
  const client = useQueryClient()
  const key = useOutlineKey(course)
  return useMutation({
    mutationFn: async ({ id, ...change }: LessonChange) => {
      orThrow(await (await rest()).from('lessons').update(change).eq('id', id).select('id').single())
    },
    onMutate: ({ id, ...change }) => {
      const before = client.getQueryData<Outline>(key)
      patchOutline(client, key, (outline) => withLesson(outline, id, change))
      return before
    },
    onError: (error, _, before) => {
      client.setQueryData(key, before)
      toast.error(refusalOr(error, 'Failed to save the change. Please try again.'))
    },
  })
}

/** Publishes a lesson as it is written, or takes it back from learners. */
export function usePublish(course: string) {
  const client = useQueryClient()
  const outline = useOutlineKey(course)
  const teach = useTeachKey()
  return useMutation({
    mutationFn: ({ id, isOn }: { id: string; isOn: boolean }) =>
      call(isOn ? 'publish-lesson' : 'unpublish-lesson', { lesson: id }),
    onSuccess: (_, { id, isOn }) => {
      patchOutline(client, outline, (known) => withLesson(known, id, { state: isOn ? 'published' : 'draft' }))
      void client.invalidateQueries({ queryKey: [...teach, 'lesson', id] })
      void client.invalidateQueries({ queryKey: [...teach, 'courses'] })
      toast.success(isOn ? 'Lesson published' : 'Lesson unpublished')
    },
    onError: (error, { isOn }) =>
      toast.error(refusalOr(error, `Failed to ${isOn ? 'publish' : 'unpublish'} the lesson. Please try again.`)),
  })
}

function useRemove(course: string, settled: Settled, table: 'lessons' | 'course_sections', noun: string) {
  const client = useQueryClient()
  const key = useOutlineKey(course)
  return useMutation({
    mutationFn: async (id: string) => {
      await settled()
      const { data } = orThrow(await (await rest()).from(table).delete().eq('id', id).select('id'))
      if (!data?.length) throw new BackendError(`This ${noun} is gone already.`, 404)
    },
    onSuccess: (_, id) => {
      patchOutline(client, key, (outline) =>
        outline
          .filter((chapter) => chapter.id !== id)
          .map((chapter) => ({ ...chapter, lessons: chapter.lessons.filter((lesson) => lesson.id !== id) })),
      )
      toast.success(`${noun === 'lesson' ? 'Lesson' : 'Section'} deleted`)
    },
    onError: (error) => {
      void client.invalidateQueries({ queryKey: key })
      toast.error(refusalOr(error, `Failed to delete the ${noun}. Please try again.`))
    },
  })
}

export const useDeleteLesson = (course: string, settled: Settled) => useRemove(course, settled, 'lessons', 'lesson')
export const useDeleteSection = (course: string, settled: Settled) =>
  useRemove(course, settled, 'course_sections', 'section')

const names = (columns: object) => Object.keys(columns).join(',')
