import './certificate.css'
import { lazy, type ReactNode, Suspense } from 'react'
import { Head } from '@/lib/head'
import { useReaderId } from '@/lib/session'
import { settings } from '@/lib/settings'
import { Button } from '@/ui/button'
import { Icon } from '@/ui/icon'
import { Link } from '@/ui/link'
import type { Certificate } from './api'
import { counted, dayOf, faceOf, lengthOf } from './words'

const Desk = lazy(() => import('./desk').then((module) => ({ default: module.Desk })))

/** What a code stands for, as anybody may see it: the original, of which the PDF is the print. */
export function CertificateScreen({ certificate }: { certificate: Certificate }) {
  const { code, holder, course_title, course_id, issued_at, revoked_at } = certificate
  const isValid = revoked_at === null
  const user = useReaderId()
  return (
    <div className="page certificate">
      <Head
        title={`${holder} completed ${course_title}`}
        description={`A certificate of completion, issued by Greenroom on ${dayOf(issued_at)}.`}
        robots="noindex"
      />
      <p className="certificate-state" data-state={certificate.state}>
        <Icon name={isValid ? 'check' : 'info'} />
        {isValid ? 'This certificate is valid.' : `This certificate was withdrawn on ${dayOf(revoked_at)}.`}
      </p>
      <article className="certificate-sheet">
        <p className="certificate-house">Greenroom</p>
        <p className="kicker text-gold">Certificate of completion</p>
        <p className="certificate-small">This certifies that</p>
        <h1 tabIndex={-1} dir="auto" data-face={faceOf(holder)}>
          {holder}
        </h1>
        <p className="certificate-small">completed the course</p>
        <p className="certificate-course" dir="auto" data-face={faceOf(course_title)}>
          {course_title}
        </p>
        <Facts certificate={certificate} />
        <svg
          className="certificate-qr"
          viewBox={`0 0 ${certificate.qr.size} ${certificate.qr.size}`}
          shapeRendering="crispEdges"
          role="img"
          aria-label="QR code of this page"
        >
          <path d={certificate.qr.path} />
        </svg>
        <p className="certificate-address">
          Verify at {settings().siteUrl.replace(/^https?:\/\//, '')}/certificate/{code}
        </p>
      </article>
      <div className="certificate-actions">
        {isValid && (
          <Button asChild look="primary">
            <a href={`/certificate/${code}/certificate.pdf`}>Download PDF</a>
          </Button>
        )}
        {course_id && (
          <Button asChild>
            <Link to={`/course/${course_id}`}>See the Course</Link>
          </Button>
        )}
      </div>
      {user && (
        <Suspense>
          <Desk certificate={certificate} user={user} />
        </Suspense>
      )}
    </div>
  )
}

function Facts({ certificate }: { certificate: Certificate }) {
  const { instructor, lessons, seconds, issued_at, code } = certificate
  const extent = [lessons > 0 ? counted(lessons, 'lesson') : '', lengthOf(seconds)].filter(Boolean).join(' · ')
  return (
    <dl>
      {instructor && <Fact name="Taught by">{instructor}</Fact>}
      {extent && <Fact name="Length">{extent}</Fact>}
      <Fact name="Issued">{dayOf(issued_at)}</Fact>
      <Fact name="Certificate code">{code}</Fact>
    </dl>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd dir="auto">{children}</dd>
    </div>
  )
}
