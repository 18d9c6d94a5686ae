import { useLocation, useNavigate } from 'react-router'
import { type Press, rememberWanted } from './memory'

/** The way to sign in; the page on show is where it leads back to, and what was pressed there counts then. */
export function useSignIn(): (press?: Press) => void {
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  return (press) => {
    if (!pathname.startsWith('/auth')) rememberWanted(pathname + search, press)
    void navigate('/auth')
  }
}
