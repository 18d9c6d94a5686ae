// How a message is stored: each is a row of course_recommendations. Which form it came from stands in instructor_name as a
// marker and in the title as a prefix.

export const kinds = ['help', 'contact', 'investor', 'sponsorship'] as const

/** What the title of a message begins with. */
export const prefixes = {
  recommendation: '',
  help: 'Help: ',
  contact: '',
  investor: 'Investor Inquiry: ',
  sponsorship: 'Sponsorship Inquiry: ',
} as const

/** What stands before the writer's name in the marker of a contact message. */
export const contactMarker = 'Contact: '

/** Stands for nobody: what a message from who is not signed in is stored under. */
export const nobody = '00000000-0000-0000-0000-000000000000'
