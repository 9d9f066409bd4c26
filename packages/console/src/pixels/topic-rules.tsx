// Topic rules of a pixel: which pages count as interest in a topic. The server can suggest rules from the site.
import type { PixelWithCode, SuggestedTopicRule, TopicRule } from "@footfall/sdk"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { accountQuery } from "../queries.ts"
import { footfall } from "../session/session.ts"
import { useMe } from "../session/use-session.ts"
import { useTopicNames } from "../topics/topic-choice.tsx"
import { Button } from "../ui/button.tsx"
import { CheckField } from "../ui/field.tsx"
import { FormDialog } from "../ui/form-dialog.tsx"
import { Problem } from "../ui/problem.tsx"
import { plural } from "../ui/time.tsx"
import { useWrite } from "../ui/use-write.ts"
import { isolated } from "../ui/isolated.ts"

/** Per pixel. */ // spec 2.4
const rulesMax = 50

export const TopicRules = ({ pixel }: { readonly pixel: PixelWithCode }) => {
  const { canWrite } = useMe()
  const { data: account } = useQuery(accountQuery)
  const nameOf = useTopicNames()
  const rules = pixel.settings.topicRules
  const suggest = useWrite({ write: () => footfall.pixels.suggestTopics(pixel.id) })
  const remove = useWrite({
    write: (rule: TopicRule) =>
      setRules(
        pixel,
        rules.filter((one) => !isSame(one, rule)),
      ),
    changes: [["pixels"]],
    notice: (_, { path }) => ({ text: isolated`Removed the rule of ${path}` }),
  })
  if (account?.intent.enabled !== true) return null
  return (
    <section className="stack" aria-label="Topic rules">
      <div className="spread">
        <h2>Topic rules</h2>
        {canWrite && rules.length < rulesMax && (
          <Button isBusy={suggest.isPending} onClick={() => suggest.mutate()}>
            Suggest rules
          </Button>
        )}
      </div>
      <p className="soft small">
        {rules.length === 0
          ? "A visit to a page can count as interest in a topic. Let the server read the site and suggest rules."
          : "A visit to these pages counts as interest in the topic."}
      </p>
      {suggest.isPending && (
        <p className="waits" role="status">
          Reading {pixel.domain}, for up to 30 seconds…
        </p>
      )}
      <Problem error={suggest.error} title="The site could not be read" />
      <ul className="lines">
        {rules.map((rule) => (
          <li key={keyOf(rule)} className="spread">
            <span className="break">
              <code>{rule.path}</code> {nameOf(rule.topicId)}
            </span>
            {canWrite && (
              <Button
                kind="plain"
                aria-label={`Remove the rule of ${rule.path}`}
                isBusy={remove.isPending}
                onClick={() => remove.mutate(rule)}
              >
                Remove
              </Button>
            )}
          </li>
        ))}
      </ul>
      <Problem error={remove.error} title="The rule was not removed" />
      {suggest.data !== undefined && (
        <Suggestions
          pixel={pixel}
          suggested={suggest.data.rules.filter((rule) => !rules.some((one) => isSame(one, rule)))}
          pages={suggest.data.pages.length}
          onClose={suggest.reset}
        />
      )}
    </section>
  )
}

interface SuggestionsProps {
  readonly pixel: PixelWithCode
  readonly suggested: ReadonlyArray<SuggestedTopicRule>
  /** How many pages were read. */
  readonly pages: number
  readonly onClose: () => void
}

const Suggestions = ({ pages, pixel, suggested, onClose }: SuggestionsProps) => {
  const { topicRules } = pixel.settings
  const offered = suggested.slice(0, rulesMax - topicRules.length)
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const chosen = offered.filter((rule) => !left.has(keyOf(rule)))
  const add = useWrite({
    write: () =>
      setRules(pixel, [...topicRules, ...chosen.map(({ path, topicId }) => ({ path, topicId }))]),
    changes: [["pixels"]],
    notice: () => ({ text: `Added ${plural(chosen.length, "rule")}` }),
    onDone: onClose,
  })
  return (
    <FormDialog
      title={isolated`Rules for ${pixel.domain}`}
      verb={`Add ${plural(chosen.length, "rule")}`}
      write={add}
      failure="No rule was added"
      isReady={chosen.length > 0}
      onSubmit={() => add.mutate()}
      onClose={onClose}
    >
      <p className="soft">
        {offered.length === 0
          ? `Read ${plural(pages, "page")} and found no new topics.`
          : `From ${plural(pages, "page")} of the site. Uncheck what does not fit.`}
      </p>
      {offered.map((rule) => (
        <CheckField
          key={keyOf(rule)}
          label={
            <>
              <code>{rule.path}</code> {rule.topicName}
              <span className="soft small"> {rule.evidence.words.join(", ")}</span>
            </>
          }
          value={!left.has(keyOf(rule))}
          onValue={(isChosen) => setLeft(changed(left, keyOf(rule), !isChosen))}
        />
      ))}
    </FormDialog>
  )
}

const setRules = (pixel: PixelWithCode, topicRules: ReadonlyArray<TopicRule>) =>
  footfall.pixels.update(pixel.id, { settings: { topicRules } })

const keyOf = ({ path, topicId }: TopicRule): string => `${topicId} ${path}`

const isSame = (one: TopicRule, other: TopicRule): boolean => keyOf(one) === keyOf(other)

const changed = (set: ReadonlySet<string>, key: string, isIn: boolean): ReadonlySet<string> => {
  const copy = new Set(set)
  if (isIn) copy.add(key)
  else copy.delete(key)
  return copy
}
