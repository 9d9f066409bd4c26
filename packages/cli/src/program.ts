// The command tree. It is the folder tree of commands/: a command is a file, a group is a folder.

import { Command } from "commander"
import { examples } from "./commands/examples.ts"
import { addAccount } from "./commands/account/account.ts"
import { addAudienceCommands } from "./commands/audiences/audience-commands.ts"
import { addDeliveryCommands } from "./commands/deliveries/delivery-commands.ts"
import { addSync } from "./commands/deliveries/sync.ts"
import { addDestinationCommands } from "./commands/destinations/destination-commands.ts"
import { addDoctor } from "./commands/doctor/doctor.ts"
import { addImport } from "./commands/import/import.ts"
import { addIntegrationCommands } from "./commands/integrations/integration-commands.ts"
import { addKeyCommands } from "./commands/keys/key-commands.ts"
import { addAcceptInvitation } from "./commands/login/accept-invitation.ts"
import { addListen } from "./commands/listen/listen.ts"
import { addLogin } from "./commands/login/login.ts"
import { addLogout } from "./commands/login/logout.ts"
import { addWhoami } from "./commands/login/whoami.ts"
import { addMemberCommands } from "./commands/members/member-commands.ts"
import { addOrganizationCommands } from "./commands/organizations/organization-commands.ts"
import { addPixelCommands } from "./commands/pixels/pixel-commands.ts"
import { addRunCommands } from "./commands/runs/run-commands.ts"
import { addSegmentCommands } from "./commands/segments/segment-commands.ts"
import { addProfileCommands } from "./commands/profile/profile-commands.ts"
import { addSuppressionCommands } from "./commands/suppression/suppression-commands.ts"
import { addTopicCommands } from "./commands/topics/topic-commands.ts"
import { addTopicListCommands } from "./commands/topic-lists/topic-list-commands.ts"
import { addVisitorCommands } from "./commands/visitors/visitor-commands.ts"
import { addVisitorWebhookCommands } from "./commands/webhooks/visitor-webhook-commands.ts"
import { addWebhookCommands } from "./commands/webhook/webhook-commands.ts"
import { addGlobalOptions, type GlobalOptions } from "./connection/global-options.ts"
import { respectColorWish } from "./terminal/color.ts"
import type { Terminal } from "./terminal/terminal.ts"

/** The whole program. It throws where commander would end the process, and prints no error itself. */
export const program = (terminal: Terminal, version: string): Command => {
  const root = new Command("footfall")
    .description("Who visits your sites, in a terminal that reads well and scripts well.")
    .version(version, "--version", "print the version")
    .helpCommand(false)
    .exitOverride()
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => void terminal.stdout.write(text),
      // Help of a group that was called without a command is what was asked for, not an error.
      writeErr: (text) => void terminal.stdout.write(text),
      outputError: () => {},
    })
    .hook("preAction", (_root, command) => {
      respectColorWish(terminal.environment, command.optsWithGlobals<GlobalOptions>().color)
    })
    .addHelpText(
      "after",
      examples(
        "footfall profile add local        # once: where the server is, and your key",
        "footfall visitors list            # who came in the last 7 days",
        "footfall visitors get nadia.osei@northwind-robotics.example",
      ),
    )
  addGlobalOptions(root)
  addVisitorCommands(root, terminal)
  addSegmentCommands(root, terminal)
  addSuppressionCommands(root, terminal)
  addPixelCommands(root, terminal)
  addTopicCommands(root, terminal)
  addTopicListCommands(root, terminal)
  addAudienceCommands(root, terminal)
  addRunCommands(root, terminal)
  addDestinationCommands(root, terminal)
  addSync(root, terminal)
  addDeliveryCommands(root, terminal)
  addIntegrationCommands(root, terminal)
  addVisitorWebhookCommands(root, terminal)
  addWebhookCommands(root, terminal)
  addListen(root, terminal)
  addAccount(root, terminal)
  addDoctor(root, terminal)
  addLogin(root, terminal)
  addLogout(root, terminal)
  addWhoami(root, terminal)
  addAcceptInvitation(root, terminal)
  addKeyCommands(root, terminal)
  addMemberCommands(root, terminal)
  addOrganizationCommands(root, terminal)
  addImport(root, terminal)
  addProfileCommands(root, terminal)
  return root
}
