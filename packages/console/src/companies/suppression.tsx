// Why a company is suppressed: the matching rules with links to them, or a button to add one.
import type { Company, SuppressionRule } from "@footfall/sdk"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { footfall } from "../session/session.ts"
import { useMe } from "../session/use-session.ts"
import { useRemoveRules } from "../suppression/use-rules.ts"
import { ruleWords } from "../suppression/words.ts"
import { Button } from "../ui/button.tsx"
import { Problem } from "../ui/problem.tsx"
import { useWrite } from "../ui/use-write.ts"

interface CompanyProps {
  readonly company: Pick<Company, "domain" | "industry" | "suppressed">
}

/** The rules that name the company or its industry. */
const useRules = ({ domain, industry, suppressed }: CompanyProps["company"]) =>
  useQuery({
    queryKey: ["suppression", "of-company", domain, industry],
    queryFn: async ({ signal }): Promise<ReadonlyArray<SuppressionRule>> => {
      const named = [
        { type: "company_domain" as const, value: domain },
        ...(industry === null ? [] : [{ type: "industry" as const, value: industry }]),
      ]
      const found = await Promise.all(
        named.map(async ({ type, value }) => {
          const { data } = await footfall.suppression.list({ type, q: value }, { signal })
          return data.filter((rule) => rule.value.toLowerCase() === value.toLowerCase())
        }),
      )
      return found.flat()
    },
    enabled: suppressed,
  })

export const CompanySuppression = ({ company }: CompanyProps) => {
  const { canWrite } = useMe()
  const { data: rules, error, refetch } = useRules(company)
  const remove = useRemoveRules()
  if (!company.suppressed) return canWrite ? <Suppress domain={company.domain} /> : null
  return (
    <section className="stack" aria-label="Why suppressed">
      <h2>Why suppressed</h2>
      <Problem error={error} onRetry={() => void refetch()} />
      {rules?.length === 0 && (
        <p className="soft">
          The rule was removed, or names another domain of the company. A removed rule stops having
          effect within a minute.
        </p>
      )}
      <ul className="stack">
        {rules?.map((rule) => (
          <li key={rule.id} className="spread card">
            <span className="break">
              {ruleWords[rule.type].one}{" "}
              <Link to="/suppression" search={{ type: rule.type, q: rule.value }}>
                {rule.value}
              </Link>
            </span>
            {canWrite && (
              <Button isBusy={remove.isPending} onClick={() => remove.mutate([rule])}>
                Remove the rule
              </Button>
            )}
          </li>
        ))}
      </ul>
      <Problem error={remove.error} />
    </section>
  )
}

const Suppress = ({ domain }: { readonly domain: string }) => {
  const add = useWrite({
    write: () => footfall.suppression.add([{ type: "company_domain", value: domain }]),
    changes: [["suppression"], ["companies"], ["people"], ["person"]],
    notice: () => ({ text: `Added a rule for ${domain}. It takes effect within a minute` }),
  })
  return (
    <section className="stack" aria-label="Suppress">
      <div className="row">
        <Button isBusy={add.isPending} disabled={add.isSuccess} onClick={() => add.mutate()}>
          Suppress this company
        </Button>
      </div>
      <Problem error={add.error} />
    </section>
  )
}
