import { createContext, type ReactNode } from 'react'
import type { CourseSummary } from './api'

type Actions = { corner: ReactNode; foot: ReactNode }

/** What other features put on every card: app/app.tsx says it once, and the lists in between need not know. */
export const CardActions = createContext((_course: CourseSummary): Actions => ({ corner: null, foot: null }))
