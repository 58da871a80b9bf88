import { Client } from 'pg'

/** Makes every write fail that touches rows of one workspace, as a row can that is not what the code expects; returns the way back. */
export async function breakWorkspace(ownerUrl: string, workspaceId: string): Promise<() => Promise<void>> {
  const refuse = (broken: string) =>
    onDatabase(ownerUrl, async (client) => {
      await client.query(refusal(broken))
      await client.query(triggers)
    })
  await refuse(workspaceId)
  return () => refuse(none)
}

const none = '00000000-0000-0000-0000-000000000000'

/** Where failures are noted has to work. */
const refusal = (broken: string): string => `
  CREATE OR REPLACE FUNCTION refuse_broken_workspace() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF (CASE TG_OP WHEN 'DELETE' THEN OLD.workspace_id ELSE NEW.workspace_id END) = '${broken}' THEN
      RAISE EXCEPTION 'a row of this workspace is broken';
    END IF;
    RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
  END $$`

// A distributed database allows triggers only by a setting that the product leaves off.
const triggers = `
  SELECT set_config('citus.enable_unsafe_triggers', 'on', false), set_config('citus.multi_shard_modify_mode', 'sequential', false);
  DO $$ DECLARE name text; BEGIN
    FOR name IN SELECT c.table_name FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
      WHERE c.table_schema = 'public' AND c.column_name = 'workspace_id' AND t.table_type = 'BASE TABLE' AND c.table_name <> 'work_failures'
        AND NOT EXISTS (SELECT FROM pg_trigger WHERE tgrelid = c.table_name::regclass AND tgname = 'zz_refuse_broken_workspace')
    LOOP
      EXECUTE format('CREATE TRIGGER zz_refuse_broken_workspace BEFORE INSERT OR UPDATE OR DELETE ON %I
        FOR EACH ROW EXECUTE FUNCTION refuse_broken_workspace()', name);
    END LOOP;
  END $$`

async function onDatabase(url: string, work: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}
