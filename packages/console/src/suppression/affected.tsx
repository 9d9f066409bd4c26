// The people whom new rules would suppress: how many, and the names of a few, each a link to their record.
import type { SuppressionAffectedPerson } from "@footfall/sdk"
import { Link } from "@tanstack/react-router"
import { nameOf } from "../people/name.ts"
import { count, plural } from "../ui/time.tsx"

interface AffectedProps {
  readonly people: number
  readonly sample: ReadonlyArray<SuppressionAffectedPerson>
}

export const Affected = ({ people, sample }: AffectedProps) => {
  if (people === 0) return <>No one seen in the last 30 days matches.</>
  return (
    <>
      {plural(people, "person", "people")} seen in the last 30 days will be suppressed
      {sample.length > 0 && ": "}
      {sample.map((person, index) => (
        <span key={person.emailHash}>
          {index > 0 && ", "}
          {/* A new tab, so that what was typed or chosen here stays. */}
          <Link
            to="/people/$visitorId"
            params={{ visitorId: person.emailHash }}
            search={{ window: "all" }}
            target="_blank"
          >
            {nameOf(person)}
          </Link>
        </span>
      ))}
      {sample.length > 0 && people > sample.length && `, and ${count(people - sample.length)} more`}
      .
    </>
  )
}
