import { type PropName, props, propsOf } from './props'
import { dice, Scene } from './scene'

/** The scene of a course: a prop of its category, always the same one. */
export function Artwork({ id, gel }: { id: string; gel: string }) {
  const choice = propsOf[gel] ?? (Object.keys(props) as PropName[])
  const name = choice[Math.floor(dice(`prop ${id}`)() * choice.length)]
  return name && <Scene seed={id} name={name} />
}
