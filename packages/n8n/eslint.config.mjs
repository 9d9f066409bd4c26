// n8n's own rules for community nodes. `npm run test:n8n` runs them, with the packages that it installs.
import { config } from "@n8n/node-cli/eslint"

export default config
