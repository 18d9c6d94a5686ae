import { useMutation, useQuery } from '@tanstack/react-query'
import { BackendError, orThrow, rest, run } from '@/lib/backend'
import type { Read } from '@/lib/read'
import { type Course, courseColumns, rowsOf } from '@/lib/rows'
import { toast } from '@/ui/toast'
import type { CourseValues } from './course-schema'
import { useAdminKey, usePatchRows } from './pages'

/** What the server said, or else what did not work. */
export const refusalOr = (error: Error, fallback: string) =>
  error instanceof BackendError && error.status > 0 ? error.message : fallback

const publishedOffer = (course: string): Read<{ id: string }> => ({
  table: 'course_offers',
  columns: { id: 'string' },
  where: [
    ['course_id', 'eq', course],
    ['published_at', 'gt', '1970-01-01'],
  ],
  limit: 1,
})

/** Whether the lessons of a course are counted from its curriculum: from its first published lesson on. */
export function useIsCounted(course: string): boolean {
  const admin = useAdminKey()
  const { data } = useQuery({
    queryKey: [...admin, 'counted', course],
    queryFn: ({ signal }) => run(publishedOffer(course), signal),
    staleTime: 0,
  })
  return (data?.rows.length ?? 0) > 0
}

const table = async () => (await rest()).from('courses')

export function useAddCourse() {
  const patch = usePatchRows<Course>('courses')
  return useMutation({
    mutationFn: async (course: CourseValues) => {
      const { data } = orThrow(await (await table()).insert(course).select().single())
      return rowsOf<Course>(courseColumns, [data])
    },
    onSuccess: (added) => {
      patch((rows, page) => (page === 0 ? [...added, ...rows] : rows))
      toast.success('Course added successfully')
    },
    onError: (error) => toast.error(refusalOr(error, 'Failed to add course')),
  })
}

type Changed = Omit<CourseValues, 'lessons' | 'rating'> & { id: string; lessons?: number; rating?: number }

export function useChangeCourse() {
  const patch = usePatchRows<Course>('courses')
  return useMutation({
    mutationFn: async ({ id, rating, ...course }: Changed) => {
      const change = async (values: object) =>
        orThrow(await (await table()).update(values).eq('id', id).select().single()).data
      const changed = await change(course)
      // By itself, or it is taken for what the form was filled with where learners rate the course.
      return rowsOf<Course>(courseColumns, [rating === undefined ? changed : await change({ rating })])
    },
    onSuccess: (changed) => {
      patch((rows) => rows.map((row) => changed.find(({ id }) => id === row.id) ?? row))
      toast.success('Course updated successfully')
    },
    onError: (error) => toast.error(refusalOr(error, 'Failed to update course')),
  })
}

export function useDeleteCourse() {
  const patch = usePatchRows<Course>('courses')
  return useMutation({
    mutationFn: async (id: string) => {
      orThrow(await (await table()).delete().eq('id', id))
    },
    onSuccess: (_, id) => {
      patch((rows) => rows.filter((row) => row.id !== id))
      toast.success('Course deleted successfully')
    },
    onError: (error) => toast.error(refusalOr(error, 'Failed to delete course')),
  })
}
