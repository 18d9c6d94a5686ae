// Quizzes and reviews keep their words the same way.
export { hasKept, useKept } from '@/lib/kept'
