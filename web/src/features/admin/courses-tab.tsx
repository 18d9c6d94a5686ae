import { type ReactNode, startTransition, useState } from 'react'
import { useParameter } from '@/lib/address'
import type { Course } from '@/lib/rows'
import { Icon } from '@/ui/all-icons'
import { Button } from '@/ui/button'
import { toast } from '@/ui/toast'
import { useAddCourse, useChangeCourse, useDeleteCourse } from './course-api'
import { CourseForm } from './course-form'
import { CourseLine } from './course-line'
import { blankCourse, inputOf } from './course-schema'
import { ExportButton } from './export-button'
import { FilterField } from './filter-field'
import { ListView } from './list-view'
import { usePages } from './pages'
import { Toolbar } from './parts'
import { courses } from './reads'

type CoursesTabProps = { categories: readonly string[]; still: (course: Course) => ReactNode }

function failed(error: Error) {
  console.error('The courses could not be loaded.', error)
  toast.error('Failed to load courses')
}

export function CoursesTab({ categories, still }: CoursesTabProps) {
  const [text] = useParameter('q')
  const [adding, setAdding] = useState(false)
  const pages = usePages(courses(text), failed)
  const add = useAddCourse()
  const remove = useDeleteCourse()
  return (
    <>
      <Toolbar
        actions={
          <>
            <ExportButton tab="courses" />
            <Button
              look={adding ? 'secondary' : 'accent'}
              aria-expanded={adding}
              // The form is long: the press shows before it.
              onClick={() => startTransition(() => setAdding(!adding))}
            >
              <Icon name={adding ? 'close' : 'plus'} />
              {adding ? 'Close' : 'Add Course'}
            </Button>
          </>
        }
      >
        <FilterField label="Search the courses" placeholder="Title, instructor, category, description" />
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
            onCancel={() => setAdding(false)}
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
        panel={(course, close) => <EditCourse course={course} categories={categories} close={close} />}
      />
    </>
  )
}

type EditCourseProps = { course: Course; categories: readonly string[]; close: (isSaved?: boolean) => void }

function EditCourse({ course, categories, close }: EditCourseProps) {
  const change = useChangeCourse()
  return (
    <div className="border-t border-hairline bg-surface-1 p-4 sm:p-6">
      <CourseForm
        label={`Edit ${course.title}`}
        action="Save Changes"
        values={inputOf(course)}
        categories={categories}
        onSave={(values) => change.mutateAsync({ ...values, id: course.id }).then(() => close(true))}
        onCancel={() => close()}
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
