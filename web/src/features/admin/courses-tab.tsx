import { type ReactNode, startTransition, useState } from 'react'
import { useParameter } from '@/lib/address'
import type { Course } from '@/lib/rows'
import { Icon } from '@/ui/all-icons'
import { Button } from '@/ui/button'
import { toast } from '@/ui/toast'
import { useUnsaved } from '@/ui/unsaved'
import { useAddCourse, useChangeCourse, useDeleteCourse, useIsCounted } from './course-api'
import { CourseForm } from './course-form'
import { CourseLine } from './course-line'
import { blankCourse, inputOf } from './course-schema'
import { ExportButton } from './export-button'
import { FilterField } from './filter-field'
import { ListView } from './list-view'
import { usePages } from './pages'
import { Toolbar } from './parts'
import { courses } from './reads'
import { ReportedReviews } from './reported-reviews'

type CoursesTabProps = { categories: readonly string[]; still: (course: Course) => ReactNode }

function failed(error: Error) {
  console.error('The courses could not be loaded.', error)
  toast.error('Failed to load courses')
}

export function CoursesTab({ categories, still }: CoursesTabProps) {
  const [text] = useParameter('q')
  const [adding, setAdding] = useState(false)
  const [isNewDirty, setNewDirty] = useState(false)
  const [isOpenDirty, setOpenDirty] = useState(false)
  const [ask, question] = useUnsaved(isNewDirty || isOpenDirty, 'Discard this course?')
  const pages = usePages(courses(text), failed)
  const add = useAddCourse()
  const remove = useDeleteCourse()
  // The form is long: the press shows before it.
  const open = (isOpen: boolean) => startTransition(() => setAdding(isOpen))
  const close = () => (isNewDirty ? ask(() => open(false)) : open(false))
  return (
    <>
      {question}
      <ReportedReviews />
      <Toolbar
        actions={
          <>
            <ExportButton tab="courses" />
            <Button
              look={adding ? 'secondary' : 'accent'}
              aria-expanded={adding}
              onClick={() => (adding ? close() : open(true))}
            >
              <Icon name={adding ? 'close' : 'plus'} />
              {adding ? 'Close' : 'Add Course'}
            </Button>
          </>
        }
      >
        <FilterField
          label="Search the courses"
          placeholder="Title, instructor, category, description"
          isHeld={isOpenDirty}
        />
      </Toolbar>
      {adding && (
        <section aria-label="New course" className="mb-6 rounded-card border border-hairline bg-surface-1 p-5 sm:p-7">
          <CourseForm
            label="Add Course"
            action="Save Course"
            values={blankCourse(categories[0] ?? '')}
            categories={categories}
            onSave={add.mutateAsync}
            isForMore
            onCancel={close}
            onDirty={setNewDirty}
          />
        </section>
      )}
      <ListView
        label="Courses"
        pages={pages}
        empty={text ? `No course matches “${text}”.` : 'There are no courses yet.'}
        line={(course, open) => (
          <CourseLine course={course} still={still(course)} onDelete={() => remove.mutate(course.id)} {...open} />
        )}
        before={(go) => (isOpenDirty ? ask(go) : go())}
        panel={(course, close) => (
          <EditCourse course={course} categories={categories} close={close} onDirty={setOpenDirty} />
        )}
      />
    </>
  )
}

type EditCourseProps = {
  course: Course
  categories: readonly string[]
  close: (isSaved?: boolean) => void
  onDirty: (isDirty: boolean) => void
}

function EditCourse({ course, categories, close, onDirty }: EditCourseProps) {
  const change = useChangeCourse()
  const isCounted = useIsCounted(course.id)
  return (
    <div className="border-t border-hairline bg-surface-1 p-4 sm:p-6">
      <CourseForm
        label={`Edit ${course.title}`}
        action="Save Changes"
        values={inputOf(course)}
        categories={categories}
        isCounted={isCounted}
        onSave={({ lessons, rating, ...values }) =>
          // A rating that nobody changed may be the mean of reviews: sent back, it would become the editors'.
          change
            .mutateAsync({
              ...values,
              ...(isCounted ? {} : { lessons }),
              ...(rating === course.rating ? {} : { rating }),
              id: course.id,
            })
            .then(() => close(true))
        }
        onCancel={() => close()}
        onDirty={onDirty}
        note={(values) =>
          course.coming_soon &&
          !values.coming_soon && (
            <p className="text-meta text-gold">Saving tells everybody on its waitlist that the course is out.</p>
          )
        }
      />
    </div>
  )
}
