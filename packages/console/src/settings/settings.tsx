// Settings: user, organization, members, API keys, audit log and imports.
import { Link, Outlet, useLocation } from "@tanstack/react-router"
import { useMe } from "../session/use-session.ts"
import { Screen } from "../ui/screen.tsx"
import { Tabs } from "../ui/tabs.tsx"
import "./settings.css"

const Settings = () => {
  const { canManage, isOwner } = useMe()
  const { pathname } = useLocation()
  return (
    <Screen title="Settings">
      <Tabs label="Settings" current={pathname}>
        <Link
          className="tab"
          to="/settings"
          search={true}
          activeOptions={{ exact: true, includeSearch: false }}
        >
          Organization
        </Link>
        {canManage && (
          <>
            <Link className="tab" to="/settings/members" search={true}>
              Members
            </Link>
            <Link className="tab" to="/settings/keys" search={true}>
              API keys
            </Link>
            <Link className="tab" to="/settings/audit" search={true}>
              Audit log
            </Link>
          </>
        )}
        <Link className="tab" to="/settings/erasures" search={true}>
          Erasures
        </Link>
        {isOwner && (
          <Link className="tab" to="/settings/imports" search={true}>
            Imports
          </Link>
        )}
        <Link className="tab" to="/settings/account" search={true}>
          Account
        </Link>
      </Tabs>
      <Outlet />
    </Screen>
  )
}

export default Settings
