import { useEffect, useRef } from 'react'
import { useSession } from '@/lib/session'
import { send } from './api'
import { encode, type Recommendation } from './encode'
import { FormPage } from './form-page'
import { MessageForm } from './message-form'
import { limits, recommendationSchema } from './schema'
import { type FormSpec, useGoToSignIn } from './use-message-form'

const spec: FormSpec<Recommendation> = {
  label: 'Recommend a New Course',
  draft: 'recommendation',
  schema: recommendationSchema,
  blank: { title: '', description: '', instructor: '', email: '' },
  fields: [
    { name: 'title', label: 'Course Title', placeholder: 'What should it be called?', limit: limits.title },
    {
      name: 'description',
      label: 'Description',
      rows: 6,
      optional: true,
      placeholder: 'What should people be able to do afterward?',
      limit: limits.description,
    },
    {
      name: 'instructor',
      label: 'Instructor Name',
      half: true,
      optional: true,
      placeholder: 'Who should teach it?',
      limit: limits.instructor,
    },
    { name: 'email', label: 'Email', type: 'email', half: true, autoComplete: 'email', placeholder: 'you@example.com' },
  ],
  button: { idle: 'Submit Recommendation', busy: 'Submitting...' },
  signIn: 'Please log in first',
  send: (values, session) => send(encode.recommendation(values), session),
  sent: 'Thank you for your recommendation!',
  failed: 'Failed to submit recommendation',
  showsRefusal: true,
}

export function RecommendationsScreen() {
  useTurnAway()
  return (
    <FormPage
      slug="screenwriting-for-streaming"
      kicker="Recommend"
      title="Recommend a New Course"
      lead="What course are we missing? Tell us what it should teach and who should teach it. Our best ideas come from the audience."
    >
      <MessageForm spec={spec} />
    </FormPage>
  )
}

/** Turns away who opens the page without a session; a session that is lost later is noticed on sending. */
function useTurnAway() {
  const { status, session } = useSession()
  const goToSignIn = useGoToSignIn()
  const decided = useRef(false)
  useEffect(() => {
    if (status === 'loading' || decided.current) return
    decided.current = true
    if (!session || session.user.is_anonymous) goToSignIn('Please log in to submit recommendations', { replace: true })
  }, [status, session, goToSignIn])
}
