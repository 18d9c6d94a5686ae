import { useQuery } from '@tanstack/react-query'
import { Lost } from '@/features/catalog/lost'
import { certificateKey, certificateQuery, isCode } from '@/features/certificate/api'
import { CertificateScreen } from '@/features/certificate/certificate-screen'
import { Head, type HeadFacts } from '@/lib/head'
import type { Params, PlanContext, ServerCall } from '@/lib/page'
import { Button } from '@/ui/button'
import { ErrorState } from '@/ui/error-state'
import { Link } from '@/ui/link'
import { Skeleton } from '@/ui/skeleton'

export const head: HeadFacts = { title: 'Certificate', robots: 'noindex' }

export function calls({ params: { code = '' } }: PlanContext): ServerCall[] {
  return isCode(code) ? [{ key: certificateKey(code), name: 'certificate', body: { code } }] : []
}

export function Page({ params: { code = '' } }: { params: Params }) {
  const { data, isLoadingError, refetch } = useQuery({ ...certificateQuery(code), enabled: isCode(code) })
  const certificate = data?.rows[0]
  if (certificate) return <CertificateScreen certificate={certificate} />
  if (!isCode(code) || data) return <Unknown />
  return (
    <div className="page" aria-busy={!isLoadingError}>
      {isLoadingError ? (
        <ErrorState
          title="This certificate could not be loaded"
          hint="That says nothing about whether it is valid."
          onRetry={() => void refetch()}
        />
      ) : (
        <Skeleton className="aspect-video w-full rounded-card" />
      )}
    </div>
  )
}

function Unknown() {
  return (
    <>
      <Head title="Certificate not found" description="No certificate has this code." status={404} robots="noindex" />
      <Lost
        title="Certificate not found"
        hint="No certificate has this code. Check it for typos: a code has twelve letters and digits."
        action={
          <Button asChild look="primary">
            <Link to="/">Back to Home</Link>
          </Button>
        }
        suggestions={null}
      />
    </>
  )
}
