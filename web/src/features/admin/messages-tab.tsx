import { useParameter } from '@/lib/address'
import { kinds, nobody } from '@/lib/inquiry'
import { ChoiceField } from './choice-field'
import { useDeleteEntry } from './entry-api'
import { EntryPanel } from './entry-panel'
import { ExportButton } from './export-button'
import { FilterField } from './filter-field'
import { ListView } from './list-view'
import { contentOf, kindNames } from './message'
import { usePages } from './pages'
import { Badge, Cut, LineButton, type Tone, Toolbar, When } from './parts'
import { inquiries, recommendations } from './reads'
import type { Kind, Message } from './rows'

const tones: Record<Kind, Tone> = {
  recommendation: 'quiet',
  help: 'info',
  contact: 'quiet',
  investor: 'gold',
  sponsorship: 'success',
}

export function RecommendationsTab() {
  const [text] = useParameter('q')
  const pages = usePages(recommendations(text), (error) =>
    console.error('The recommendations could not be loaded.', error),
  )
  return (
    <>
      <Toolbar actions={<ExportButton tab="recommendations" />}>
        <FilterField label="Search the recommendations" placeholder="Title, description, instructor, email" />
      </Toolbar>
      <MessageList
        label="Recommendations"
        pages={pages}
        empty={text ? 'No recommendation matches.' : 'No recommendations yet.'}
      />
    </>
  )
}

export function InquiriesTab() {
  const [text] = useParameter('q')
  const [kind] = useParameter('kind')
  const known = kinds.find((one) => one === kind) ?? ''
  const pages = usePages(inquiries(text, known), (error) => console.error('The inquiries could not be loaded.', error))
  return (
    <>
      <Toolbar actions={<ExportButton tab="inquiries" />}>
        <FilterField label="Search the inquiries" placeholder="Subject, message, name, email" />
        <ChoiceField
          parameter="kind"
          label="Kind"
          all="All kinds"
          choices={kinds.map((one) => [one, kindNames[one]])}
        />
      </Toolbar>
      <MessageList
        label="Inquiries"
        pages={pages}
        empty={text || known ? 'No inquiry matches.' : 'No inquiries yet.'}
      />
    </>
  )
}

type MessageListProps = { label: string; pages: ReturnType<typeof usePages<Message>>; empty: string }

function MessageList({ label, pages, empty }: MessageListProps) {
  const remove = useDeleteEntry('course_recommendations')
  return (
    <ListView
      label={label}
      pages={pages}
      empty={empty}
      line={(message, open) => <MessageLine message={message} {...open} />}
      panel={(message) => {
        const content = contentOf(message)
        const isRecommendation = message.kind === 'recommendation'
        return (
          <EntryPanel
            facts={[
              [isRecommendation ? 'Course title' : 'Subject', message.course_title],
              [
                isRecommendation ? 'Instructor' : 'Name',
                isRecommendation ? (message.instructor_name ?? '') : content.name,
              ],
              ['Company', content.company],
              ['Phone', content.phone],
              ['Email', message.email],
              ['Sent', <When key="at" at={message.created_at} whole />],
              ['User id', message.user_id === nobody ? 'Not signed in' : message.user_id],
            ]}
            text={content.text}
            email={message.email}
            subject={message.course_title}
            question={`Are you sure you want to delete this ${isRecommendation ? 'recommendation' : 'inquiry'}?`}
            onDelete={() => remove.mutate(message.id)}
          />
        )
      }}
    />
  )
}

type MessageLineProps = { message: Message; isOpen: boolean; toggle: () => void }

function MessageLine({ message, isOpen, toggle }: MessageLineProps) {
  const content = contentOf(message)
  const isRecommendation = message.kind === 'recommendation'
  const who = (isRecommendation ? message.instructor_name : content.name) || message.email
  return (
    <LineButton
      isOpen={isOpen}
      onClick={toggle}
      className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 md:grid-cols-[minmax(0,3fr)_minmax(0,2fr)_112px_112px]"
    >
      <span className="min-w-0">
        <Cut two className="leading-snug font-medium">
          {content.subject}
        </Cut>
        <Cut className="text-meta text-muted">{content.text.slice(0, 200) || 'No description'}</Cut>
      </span>
      <span className="min-w-0 text-meta max-md:hidden">
        <Cut>{who}</Cut>
        {who !== message.email && <Cut className="text-muted">{message.email}</Cut>}
      </span>
      <span className="max-md:row-span-2">
        {!isRecommendation && <Badge tone={tones[message.kind]}>{kindNames[message.kind]}</Badge>}
      </span>
      <When at={message.created_at} className="text-meta text-faint" />
    </LineButton>
  )
}
