import { useParameter } from '@/lib/address'
import { Select } from '@/ui/field'

type ChoiceFieldProps = {
  parameter: string
  label: string
  all: string
  choices: readonly (readonly [string, string])[]
}

/** One of a few values, or all of them; it stands in the address. */
export function ChoiceField({ parameter, label, all, choices }: ChoiceFieldProps) {
  const [value, setValue] = useParameter(parameter)
  return (
    <div className="w-56 max-sm:w-auto max-sm:flex-1">
      <Select
        aria-label={label}
        value={value}
        onChange={(event) => setValue(event.target.value)}
        className="md:text-[0.9375rem]"
      >
        <option value="">{all}</option>
        {choices.map(([key, name]) => (
          <option key={key} value={key}>
            {name}
          </option>
        ))}
      </Select>
    </div>
  )
}
