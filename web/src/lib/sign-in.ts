import { useLocation, useNavigate } from 'react-router'
import { rememberWanted } from './memory'

/** The way to sign in; the page on show is where it leads back to. */
export function useSignIn(): () => void {
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  return () => {
    if (!pathname.startsWith('/auth')) rememberWanted(pathname + search)
    void navigate('/auth')
  }
}
