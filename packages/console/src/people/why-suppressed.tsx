// Why a person is suppressed: the matching rules, each with a button to remove it, or a button to add one.
import type { SuppressionRule, Visitor } from "@footfall/sdk"
import { useQuery } from "@tanstack/react-query"
import { footfall } from "../session/session.ts"
import { useMe } from "../session/use-session.ts"
import { Button } from "../ui/button.tsx"
import { Problem } from "../ui/problem.tsx"
import { useWrite } from "../ui/use-write.ts"
import { useRemoveRules } from "../suppression/use-rules.ts"
import { ruleWords } from "../suppression/words.ts"
import { isolated } from "../ui/isolated.ts"

export const WhySuppressed = ({ visitorId }: { readonly visitorId: string }) => {
  const { canWrite } = useMe()
  const { data, error, refetch } = useQuery({
    queryKey: ["suppression", "of", visitorId],
    queryFn: ({ signal }) => footfall.suppression.ofVisitor(visitorId, { signal }),
  })
  const remove = useRemoveRules()
  if (error !== null) return <Problem error={error} onRetry={() => void refetch()} />
  if (data === undefined) return null
  const { rules, suppressed } = data
  if (rules.length === 0 && !suppressed) return null
  return (
    <section className="stack" aria-label="Why suppressed">
      <h2>Why suppressed</h2>
      {rules.length === 0 && (
        <p className="soft">The rule was removed. It takes effect within a minute.</p>
      )}
      {rules.length > 0 && !suppressed && (
        <p className="soft">These rules are new. They take effect within a minute.</p>
      )}
      <ul className="stack">
        {rules.map((rule) => (
          <Rule
            key={rule.id}
            rule={rule}
            onRemove={canWrite ? () => remove.mutate([rule]) : undefined}
            isBusy={remove.isPending}
          />
        ))}
      </ul>
      <Problem error={remove.error} />
    </section>
  )
}

interface RuleProps {
  readonly rule: SuppressionRule
  readonly onRemove: (() => void) | undefined
  readonly isBusy: boolean
}

const Rule = ({ rule, onRemove, isBusy }: RuleProps) => (
  <li className="spread card">
    <span className="break">
      {ruleWords[rule.type].one} <strong>{rule.value}</strong>
    </span>
    {onRemove !== undefined && (
      <Button isBusy={isBusy} onClick={onRemove}>
        Remove the rule
      </Button>
    )}
  </li>
)

/** Adds a rule for one address. */
export const useSuppress = () =>
  useWrite({
    write: (email: string) => footfall.suppression.add([{ type: "email", value: email }]),
    changes: [["suppression"], ["people"], ["person"]],
    edit: (row, email) => {
      const { emails } = row as Partial<Visitor>
      return emails?.includes(email) === true ? { ...(row as Visitor), suppressed: true } : row
    },
    notice: (_, email) => ({ text: isolated`Added a rule for ${email}` }),
  })
