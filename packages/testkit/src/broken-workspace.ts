import { Client } from 'pg'

/** Makes every write fail that touches rows of one workspace, as a row can that is not what the code expects; returns the way back. */
export async function breakWorkspace(ownerUrl: string, workspaceId: string): Promise<() => Promise<void>> {
  await onDatabase(ownerUrl, async (client) => {
    await client.query(setUp)
    await client.query('INSERT INTO broken_workspaces VALUES ($1)', [workspaceId])
  })
  return () =>
    onDatabase(ownerUrl, async (client) => {
      await client.query('DELETE FROM broken_workspaces WHERE id = $1', [workspaceId])
    })
}

// Where failures are noted has to work, and the trigger itself reads as the owner.
const setUp = `
  CREATE TABLE IF NOT EXISTS broken_workspaces (id uuid PRIMARY KEY);
  CREATE OR REPLACE FUNCTION refuse_broken_workspace() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
    DECLARE touched uuid := CASE TG_OP WHEN 'DELETE' THEN to_jsonb(OLD) ELSE to_jsonb(NEW) END ->> 'workspace_id';
    BEGIN
      IF EXISTS (SELECT FROM broken_workspaces WHERE id = touched) THEN RAISE EXCEPTION 'a row of this workspace is broken'; END IF;
      IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
      RETURN NEW;
    END $$;
  DO $$ DECLARE name text; BEGIN
    FOR name IN SELECT c.table_name FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
      WHERE c.table_schema = 'public' AND c.column_name = 'workspace_id' AND t.table_type = 'BASE TABLE' AND c.table_name <> 'work_failures'
    LOOP
      EXECUTE format('CREATE OR REPLACE TRIGGER zz_refuse_broken_workspace BEFORE INSERT OR UPDATE OR DELETE ON %I
        FOR EACH ROW EXECUTE FUNCTION refuse_broken_workspace()', name);
    END LOOP;
  END $$`

async function onDatabase(url: string, work: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}
