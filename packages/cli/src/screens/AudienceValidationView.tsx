// A configuration that is valid, in its normal form.

import type { AudienceValidation } from "@footfall/sdk"
import { Box, Text } from "ink"
import type { ReactNode } from "react"
import { audienceFacts } from "./audience-words.ts"
import { Facts } from "./Facts.tsx"

/** The answer of the server, and the names of the topics as far as they are known. */
export interface AudienceValidationViewProps {
  readonly validation: AudienceValidation
  readonly names: ReadonlyMap<number, string>
  readonly screenColumns: number
}

/** One that is not valid never comes here: it is an error. */
export const AudienceValidationView = (props: AudienceValidationViewProps): ReactNode => {
  const { validation, names, screenColumns } = props
  return (
    <Box flexDirection="column" rowGap={1} width={screenColumns}>
      <Text color="green">The configuration is valid.</Text>
      <Facts
        facts={[
          ...audienceFacts(validation.normalizedConfig, names),
          ["Hash", validation.configHash],
        ]}
      />
    </Box>
  )
}
