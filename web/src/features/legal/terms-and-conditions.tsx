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
    title: 'Acceptance',
    body: (
      <p>
        By visiting the site, creating an account, joining a waitlist, registering for a workshop or taking a course,
        you accept these terms and our <Link to="/privacy-policy">Privacy Policy</Link>. If you do not accept them, do
        not use the service. If you use it for a company, you confirm that you may bind that company.
      </p>
    ),
  },
  {
    title: 'Who may use Greenroom',
    body: (
      <p>
        You must be at least 16 years old, and old enough where you live to enter into this agreement. If you are under
        18, a parent or guardian must agree to these terms for you. You may not use the service if the law prohibits us
        from offering it to you.
      </p>
    ),
  },
  {
    title: 'Your account',
    body: (
      <>
        <p>
          Give a working email address, keep your password to yourself, and tell us right away at <Support /> if you
          believe that someone else is using your account. You are responsible for what happens under it until you have
          told us.
        </p>
        <p>One person, one account: it may not be shared, sold or passed on.</p>
      </>
    ),
  },
  {
    title: 'Courses, waitlists and workshops',
    body: (
      <>
        <p>
          The catalog describes courses that are open and courses that are coming soon. Titles, instructors, dates,
          lengths and contents are given in good faith and may change. A launch date or a countdown is an estimate, not
          a promise.
        </p>
        <p>
          Joining a waitlist is free, reserves no spot and commits neither of us to anything; we email you when the
          course opens. Workshop spots are limited and go to whoever registers first; later registrations wait, and move
          up when a spot opens.
        </p>
        <p>
          We may postpone or cancel a course or workshop. If you have paid for one that we cancel, section 6 applies.
        </p>
      </>
    ),
  },
  {
    title: 'Fees and payment',
    body: (
      <>
        <p>
          Browsing, saving courses, waitlists and this site’s account are free. Where a course or workshop has a fee,
          the fee is shown before you commit to it. All fees are in United States dollars (USD) and, unless stated
          otherwise, do not include taxes, which are added where the law requires it. Banks and card networks may charge
          you for currency conversion.
        </p>
        <p>
          You authorize us and our payment provider to charge the payment method you choose. If a payment fails, access
          may be suspended until it is made. We may change fees for the future; what you have already bought stays at
          its price.
        </p>
      </>
    ),
  },
  {
    title: 'No refunds',
    body: (
      <>
        <p>
          <strong>All fees are non-refundable.</strong> This also applies if you do not attend, do not finish, or change
          your mind, and if your account is closed because you broke these terms.
        </p>
        <p>
          There are two exceptions: if we cancel a course or workshop before it begins, you may choose a credit or your
          money back; and nothing here takes away a right to a refund that the law of your country gives you and that
          cannot be waived.
        </p>
      </>
    ),
  },
  {
    title: 'What you may do with the content',
    body: (
      <>
        <p>
          Lessons, videos, texts, pictures, names and marks belong to Greenroom or its instructors. You receive a
          personal, non-exclusive, non-transferable license to view them for your own learning while you have access.
        </p>
        <p>You may not:</p>
        <ul>
          <li>record, copy, publish, resell or show them in public;</li>
          <li>remove notices of ownership or get around technical protection;</li>
          <li>use them to train or feed a machine-learning system;</li>
          <li>collect content or data from the site by automated means, beyond what a search engine does.</li>
        </ul>
      </>
    ),
  },
  {
    title: 'What you send us',
    body: (
      <p>
        Recommendations, messages and other material that you send stay yours. You give us a worldwide, royalty-free
        license to use them to run and improve the service, including to make a course that you recommended, without
        owing you a fee. Send nothing that you have no right to send.
      </p>
    ),
  },
  {
    title: 'Conduct',
    body: (
      <>
        <p>You agree not to:</p>
        <ul>
          <li>break the law or violate the rights of others;</li>
          <li>harass, threaten or discriminate against learners, instructors or staff;</li>
          <li>send spam, malware or false information, or register in someone else’s name;</li>
          <li>probe, overload or disrupt the service, or try to access data that is not yours.</li>
        </ul>
        <p>
          If you find a security vulnerability, report it to <Support /> and give us time to fix it; we will not pursue
          research done in good faith.
        </p>
      </>
    ),
  },
  {
    title: 'Other services',
    body: (
      <p>
        The site links to services that we do not run, such as social networks and sign-in providers. Their terms apply
        there, and we are not responsible for them.
      </p>
    ),
  },
  {
    title: 'Suspension and termination',
    body: (
      <p>
        You may delete your account at any time. We may suspend or close it if you break these terms, if the law
        requires it, or if we stop the service; where we can, we will tell you beforehand. Sections that by their nature
        continue (fees, licenses, disclaimers, liability, law) survive termination.
      </p>
    ),
  },
  {
    title: 'No warranty',
    body: (
      <p>
        The service is provided “as is” and “as available.” To the extent that the law allows, we disclaim all
        warranties, express or implied, including merchantability, fitness for a particular purpose and
        non-infringement. We do not promise roles, income, followers, representation or any other result from a course,
        nor that the service is free of errors or interruptions.
      </p>
    ),
  },
  {
    title: 'Limitation of liability',
    body: (
      <p>
        To the extent that the law allows, Greenroom and its instructors are not liable for indirect, incidental,
        special, consequential or punitive damages, or for lost profits, data or goodwill. Our total liability for all
        claims is limited to the greater of what you paid us in the twelve months before the claim and one hundred US
        dollars (USD 100). Nothing here limits liability that cannot be limited by law.
      </p>
    ),
  },
  {
    title: 'Indemnity',
    body: (
      <p>
        You will hold Greenroom harmless from third-party claims, and the reasonable costs of defending them, that arise
        from your breach of these terms or from what you send or publish through the service.
      </p>
    ),
  },
  {
    title: 'Law and disputes',
    body: (
      <>
        <p>
          These terms are governed by the laws of the State of California, United States, without regard to its rules on
          conflict of laws. The state and federal courts in Los Angeles County, California, have exclusive jurisdiction,
          and both of us consent to it. If you are a consumer, you keep the protection of any mandatory law where you
          live.
        </p>
        <p>
          Before going to court, please email <Support />: most disagreements can be settled within thirty days.
        </p>
      </>
    ),
  },
  {
    title: 'Changes to these terms',
    body: (
      <p>
        We may change these terms. The new text appears here with its date; if a change matters, we tell account holders
        by email at least fourteen days before. Using the service after that means that you accept it.
      </p>
    ),
  },
  {
    title: 'General',
    body: (
      <p>
        These terms and the Privacy Policy are the entire agreement between us. If a part is invalid, the rest stays in
        force. Our failure to enforce a right is not a waiver of it. You may not transfer this agreement without our
        consent; we may transfer it with the business.
      </p>
    ),
  },
  {
    title: 'Contact',
    body: (
      <p>
        Questions about these terms go to <Support /> or through the <Link to="/contact">contact form</Link>.
      </p>
    ),
  },
]

export function TermsAndConditions() {
  return (
    <LegalDocument
      title="Terms and Conditions"
      updated={updated}
      intro={
        <p>
          These terms are the agreement between you and Greenroom about using this site, its courses and its workshops.
        </p>
      }
      sections={sections}
    />
  )
}
