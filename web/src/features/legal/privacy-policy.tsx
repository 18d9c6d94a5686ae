import { settings } from '@/lib/settings'
import { Link } from '@/ui/link'
import { LegalDocument, type Section } from './document'

const updated = 'November 1, 2026'

function Support() {
  const { supportEmail } = settings()
  return <a href={`mailto:${supportEmail}`}>{supportEmail}</a>
}

const sections: readonly Section[] = [
  {
    title: 'Who we are',
    body: (
      <p>
        Greenroom operates this website and the courses and workshops offered on it. When this policy says “we” or “us,”
        it means Greenroom; “you” means anyone who visits the site or has an account. For questions about your data,
        email <Support />.
      </p>
    ),
  },
  {
    title: 'What we collect',
    body: (
      <>
        <p>We collect only what the site needs to work:</p>
        <ul>
          <li>
            <strong>Account.</strong> Your email address, a hash of your password (never the password itself), an
            optional name, when the account was created and last used, and, if you set them up, your passkeys (the
            public half, never your fingerprint or face) and your two-step verification methods.
          </li>
          <li>
            <strong>Your lists.</strong> The courses you save and the waitlists you join, and when you did so.
          </li>
          <li>
            <strong>Workshop registrations.</strong> The name and email address you enter. You do not need an account
            for this.
          </li>
          <li>
            <strong>Messages.</strong> What you write in the contact, help, investor, sponsorship and recommendation
            forms, with your name, email address and, where you give them, company and phone number.
          </li>
          <li>
            <strong>Technical records.</strong> The network address, browser description, time and path of requests,
            which we need to keep the service running and to stop abuse.
          </li>
        </ul>
        <p>We do not ask for, and do not want, sensitive information such as health data or government identifiers.</p>
      </>
    ),
  },
  {
    title: 'How we use it',
    body: (
      <ul>
        <li>to sign you in and keep your account secure;</li>
        <li>to show you your list and your waitlists, and to email you when a course you’re waiting for opens;</li>
        <li>to confirm workshop registrations and send what you need to take part;</li>
        <li>to answer your messages and to consider the courses you recommend;</li>
        <li>to prevent fraud, spam and attacks, and to find and fix problems;</li>
        <li>to keep the records the law requires.</li>
      </ul>
    ),
  },
  {
    title: 'Legal basis',
    body: (
      <p>
        Where the law of your country requires a legal basis, we rely on our agreement with you (accounts, lists,
        waitlists, workshops), on our legitimate interest in a secure and working service (technical records, prevention
        of abuse), on your consent where we ask for it, and on our legal obligations.
      </p>
    ),
  },
  {
    title: 'What your browser stores',
    body: (
      <>
        <p>
          We set no advertising or analytics cookies and load no third-party trackers. Your browser keeps, on your
          device, the session that keeps you signed in, and for the length of a visit the page you wanted to open before
          signing in and the text of a form you have not sent yet. Signing out removes all of it. What stays is one
          cookie that shows our server that you have signed in on this device before, so that someone else’s wrong
          passwords don’t lock you out. It can’t be used to sign in, and it expires after 180 days or when your password
          changes. Your browser also remembers that it offered you a passkey, so that it doesn’t ask again.
        </p>
      </>
    ),
  },
  {
    title: 'Who else sees it',
    body: (
      <>
        <p>We do not sell your personal information and do not share it for advertising. It is seen by:</p>
        <ul>
          <li>the people at Greenroom who need it to answer you or to run the catalog and the workshops;</li>
          <li>providers that host the service and deliver its email, under contracts that allow no other use;</li>
          <li>
            a sign-in provider, if you choose to sign in with one: it learns that you use Greenroom and tells us your
            email address and name;
          </li>
          <li>authorities, when the law requires it, and only to the extent that it does;</li>
          <li>a successor, if the business is sold or merged; this policy will continue to apply to your data.</li>
        </ul>
        <p>
          When you use a Share button, the page you share opens at the service you chose, under that service’s own
          policy. We pass on nothing but the link and the title.
        </p>
      </>
    ),
  },
  {
    title: 'How long we keep it',
    body: (
      <ul>
        <li>Your account, list and waitlists: until you remove them or delete the account.</li>
        <li>Workshop registrations: up to twelve months after the workshop.</li>
        <li>Messages and recommendations: up to twenty-four months after the last reply.</li>
        <li>Technical records: up to ninety days, longer only while an incident is being investigated.</li>
        <li>Records the law requires us to keep, such as payment records: for as long as it requires.</li>
      </ul>
    ),
  },
  {
    title: 'How we protect it',
    body: (
      <p>
        Connections are encrypted, passwords are stored only as salted hashes, secrets are encrypted at rest, and the
        server checks on every request who may see or change what. Administrators can be required to use two-step
        verification, and what they do is recorded. No system is perfectly secure; if a breach affects you, we will tell
        you without undue delay.
      </p>
    ),
  },
  {
    title: 'Your rights',
    body: (
      <>
        <p>You may, wherever you live:</p>
        <ul>
          <li>see the data we hold about you, and receive a copy of it in a common format;</li>
          <li>have wrong data corrected;</li>
          <li>have your account and its data deleted;</li>
          <li>object to a use, restrict it, or withdraw your consent going forward.</li>
        </ul>
        <p>
          You can do most of this yourself: remove saved courses on <Link to="/my-list">My List</Link>, leave waitlists
          on <Link to="/waitlist">Waitlist</Link>, and manage the account under <Link to="/account">Account</Link>. If
          you don’t have an account, you can <a href="/your-data">download or erase what we have stored</a> under your
          email address. For everything else, email <Support />; we respond within thirty days and may ask you to show
          that the account is yours. You may also complain to the data protection authority where you live.
        </p>
      </>
    ),
  },
  {
    title: 'California privacy rights',
    body: (
      <p>
        Residents of California have the right to know, to delete and to correct personal information, to limit the use
        of sensitive information, and not to be treated differently for using these rights. We do not sell or share
        personal information as the California Consumer Privacy Act defines those terms. You may name an agent to act
        for you; we will ask for your signed permission.
      </p>
    ),
  },
  {
    title: 'Children',
    body: (
      <p>
        Greenroom is for people aged 16 and older. We do not knowingly collect data from younger children. If you
        believe a child has given us data, email <Support /> and we will delete it.
      </p>
    ),
  },
  {
    title: 'Where data is processed',
    body: (
      <p>
        The service is run from the United States. If you use it from elsewhere, your data is transferred there; where
        the law requires it, we use standard contractual clauses or an equivalent safeguard.
      </p>
    ),
  },
  {
    title: 'Changes to this policy',
    body: (
      <p>
        When this policy changes, the new text appears here with its date. If a change matters to you, we tell account
        holders by email at least fourteen days before it takes effect.
      </p>
    ),
  },
  {
    title: 'Contact',
    body: (
      <p>
        Email <Support /> or use the <Link to="/contact">contact form</Link>.
      </p>
    ),
  },
]

export function PrivacyPolicy() {
  return (
    <LegalDocument
      title="Privacy Policy"
      updated={updated}
      intro={<p>This page explains what Greenroom knows about you, why, for how long, and what you can do about it.</p>}
      sections={sections}
    />
  )
}
