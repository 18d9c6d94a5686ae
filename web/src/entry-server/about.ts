import { type Course, courseById, gelOf } from '@/features/catalog/api'
import { type Lesson, lessonsOf, type Offer, offerOf, sectionsOf } from '@/features/learn/api'
import { grouped } from '@/features/learn/grouped'
import { isTheirs } from '@/features/review/api'
import { featuredWorkshop, type Workshop } from '@/features/waitlist/workshop'
import type { PlanContext } from '@/lib/page'
import { settings } from '@/lib/settings'
import { acrossPage, besideWords, preloadsOf, slugOf } from '@/ui/picture'

/** What a page says to the browser's loader, search engines and share cards. None of it is needed in the browser. */
export type About = { image: string; jsonld: object[]; preload: object[] }

type Place = Pick<PlanContext, 'params' | 'answer'> & {
  page: string
  pathname: string
  origin: string
  /** Without the name of the site. */
  title: string
}

export function about(place: Place): About {
  const { page, params, answer, origin } = place
  if (page === 'home') {
    const workshop = answer(featuredWorkshop)?.rows[0]
    return {
      image: '/card.png',
      jsonld: [...house(origin), ...(workshop?.starts_at ? [eventOf(workshop, workshop.starts_at, origin)] : [])],
      preload: preloadsOf('workshop', acrossPage),
    }
  }
  const course = page === 'course' && params.id ? answer(courseById(params.id))?.rows[0] : undefined
  if (course) {
    return {
      image: `/course/${course.id}/card.png`,
      jsonld: [
        { ...courseOf(course, origin), ...syllabusOf(place, course.id), ...ratingOf(place, course) },
        ...filmsOf(place, course),
        crumbs(origin, [course.category, `/?category=${encodeURIComponent(course.category)}`], [course.title]),
      ],
      preload: opening(course),
    }
  }
  const taken = page === 'learn' && params.course ? answer(courseById(params.course))?.rows[0] : undefined
  if (taken) {
    const lesson = answer(lessonsOf(taken.id))?.rows.find(({ id }) => id === params.lesson)
    return {
      image: lesson && isOpenFilm(lesson) ? cardOf(lesson, taken.id) : `/course/${taken.id}/card.png`,
      jsonld: [
        ...filmsOf(place, taken).filter(({ url }) => url.endsWith(`/${params.lesson}`)),
        crumbs(origin, [taken.title, `/course/${taken.id}`], [place.title]),
      ],
      preload: [],
    }
  }
  // Where a certificate has no card, the server takes that of the house.
  if (page === 'certificate') return { image: `/certificate/${params.code}/card.png`, jsonld: [], preload: [] }
  return { image: '/card.png', jsonld: [crumbs(origin, [place.title])], preload: [] }
}

/** The picture that a course's page opens with. */
function opening({ thumbnail, category }: Course): object[] {
  const slug = slugOf(thumbnail || `/art/${gelOf(category)}.webp`)
  return slug ? preloadsOf(slug, besideWords) : [{ href: thumbnail, as: 'image', fetchpriority: 'high' }]
}

/** The way to a page; the last step is the page itself and needs no address. */
function crumbs(origin: string, ...steps: [name: string, path?: string][]): object {
  return {
    '@type': 'BreadcrumbList',
    itemListElement: [['Home', '/'] as const, ...steps].map(([name, path], index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name,
      ...(path ? { item: origin + path } : {}),
    })),
  }
}

const organization = (origin: string) => ({ '@type': 'Organization', name: 'Greenroom', url: `${origin}/` })

function house(origin: string): object[] {
  return [
    { ...organization(origin), logo: `${origin}/icon-512.png`, sameAs: Object.values(settings().social) },
    {
      '@type': 'WebSite',
      name: 'Greenroom',
      url: `${origin}/`,
      potentialAction: {
        '@type': 'SearchAction',
        target: { '@type': 'EntryPoint', urlTemplate: `${origin}/search?q={text}` },
        'query-input': 'required name=text',
      },
    },
  ]
}

/** What learners gave. Until there are enough of them the rating is the editors', which is none in the schema's sense. */
function ratingOf({ answer }: Place, course: Course): object {
  const offer = answer(offerOf(course.id))?.rows[0]
  if (!offer?.published_at || !isTheirs(offer)) return {}
  return {
    aggregateRating: {
      '@type': 'AggregateRating',
      ratingValue: course.rating,
      reviewCount: offer.reviews,
      bestRating: 5,
      worstRating: 1,
    },
  }
}

function courseOf(course: Course, origin: string): object {
  const url = `${origin}/course/${course.id}`
  const weeks = /^(\d+) weeks?$/.exec(course.duration)?.[1]
  return {
    '@type': 'Course',
    name: course.title,
    description: course.description,
    url,
    image: `${url}/card.png`,
    provider: organization(origin),
    educationalLevel: course.level,
    about: course.category,
    ...(weeks ? { timeRequired: `P${weeks}W` } : {}),
    hasCourseInstance: {
      '@type': 'CourseInstance',
      courseMode: 'Online',
      instructor: { '@type': 'Person', name: course.instructor },
    },
  }
}

const spanOf = (seconds: number) => `PT${Math.max(1, Math.round(seconds / 60))}M`

/** The lessons of a course that can be taken, section by section. */
function syllabusOf({ answer }: Place, course: string): object {
  const sections = answer(sectionsOf(course))?.rows ?? []
  const lessons = answer(lessonsOf(course))?.rows ?? []
  const groups = grouped(sections, lessons)
  if (groups.length === 0) return {}
  const length = (of: readonly Lesson[]) => of.reduce((sum, { seconds }) => sum + seconds, 0)
  return {
    ...(length(lessons) > 0 ? { timeRequired: spanOf(length(lessons)) } : {}),
    syllabusSections: groups.map(({ section, lessons }) => ({
      '@type': 'Syllabus',
      name: section.title,
      description: lessons.map(({ title }) => title).join(' · '),
      ...(length(lessons) > 0 ? { timeRequired: spanOf(length(lessons)) } : {}),
    })),
  }
}

const isOpenFilm = ({ kind, preview }: Lesson) => kind === 'video' && preview

/** A film that anybody may watch has a card with its own picture. */
const cardOf = ({ id }: Lesson, course: string) => `/learn/${course}/${id}/card.png`

/** The films that anybody may watch: those of preview lessons, and the trailer. */
function filmsOf({ answer, origin }: Place, course: Course) {
  const offer: Offer | undefined = answer(offerOf(course.id))?.rows[0]
  const film = (name: string, url: string, seconds: number, card: string) => ({
    '@type': 'VideoObject',
    name,
    description: course.description,
    thumbnailUrl: origin + card,
    uploadDate: offer?.published_at ?? course.created_at,
    url,
    isFamilyFriendly: true,
    ...(seconds > 0 ? { duration: `PT${seconds}S` } : {}),
  })
  const lessons = (answer(lessonsOf(course.id))?.rows ?? []).filter(isOpenFilm)
  const page = `/course/${course.id}`
  return [
    ...(offer?.trailer_id ? [film(`Trailer: ${course.title}`, origin + page, 0, `${page}/card.png`)] : []),
    ...lessons.map((lesson) =>
      film(lesson.title, `${origin}/learn/${course.id}/${lesson.id}`, lesson.seconds, cardOf(lesson, course.id)),
    ),
  ]
}

function eventOf(workshop: Workshop, start: string, origin: string): object {
  const end = new Date(Date.parse(start) + workshop.duration_minutes * 60_000)
  return {
    '@type': 'Event',
    name: workshop.title,
    description: workshop.about,
    startDate: start,
    endDate: end.toISOString(),
    eventAttendanceMode: 'https://schema.org/OnlineEventAttendanceMode',
    eventStatus: 'https://schema.org/EventScheduled',
    location: { '@type': 'VirtualLocation', url: `${origin}/` },
    image: `${origin}/workshop/card.png`,
    maximumAttendeeCapacity: workshop.spots,
    performer: { '@type': 'Person', name: workshop.host },
    organizer: organization(origin),
  }
}
