CREATE TABLE "audit_chains" (
	"workspace_id" uuid PRIMARY KEY NOT NULL,
	"seq" bigint DEFAULT 0 NOT NULL,
	"hash" text DEFAULT '0000000000000000000000000000000000000000000000000000000000000000' NOT NULL,
	"pruned_seq" bigint DEFAULT 0 NOT NULL,
	"filed_seq" bigint DEFAULT 0 NOT NULL,
	"streamed_seq" bigint DEFAULT 0 NOT NULL,
	"signed_at" timestamptz(3)
);
--> statement-breakpoint
CREATE TABLE "audit_streams" (
	"workspace_id" uuid PRIMARY KEY NOT NULL,
	"url" text NOT NULL,
	"header_name" text,
	"header_value" text,
	"is_active" boolean DEFAULT true NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"problem" text,
	"next_at" timestamptz(3) DEFAULT now() NOT NULL,
	"updated_at" timestamptz(3) DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "audit_log" ADD COLUMN "credential_class" text;--> statement-breakpoint
ALTER TABLE "audit_log" ADD COLUMN "credential_id" text;--> statement-breakpoint
ALTER TABLE "audit_log" ADD COLUMN "request_id" text;--> statement-breakpoint
ALTER TABLE "audit_log" ADD COLUMN "seq" bigint;--> statement-breakpoint
ALTER TABLE "audit_log" ADD COLUMN "private_salt" text;--> statement-breakpoint
ALTER TABLE "audit_log" ADD COLUMN "private_hash" text;--> statement-breakpoint
ALTER TABLE "audit_log" ADD COLUMN "prev_hash" text;--> statement-breakpoint
ALTER TABLE "audit_log" ADD COLUMN "hash" text;--> statement-breakpoint
ALTER TABLE "audit_chains" ADD CONSTRAINT "audit_chains_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audit_streams" ADD CONSTRAINT "audit_streams_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
-- An entry of the audit log stays as it is written. It changes once, when it gets its place in the chain, and its personal part can be
-- emptied. It goes when retention has removed it up to that place, or with its workspace.
CREATE FUNCTION crm_audit_keep() RETURNS trigger LANGUAGE plpgsql SET search_path = public AS $body$
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF NOT EXISTS (SELECT FROM workspaces WHERE id = OLD.workspace_id)
      OR OLD.seq <= (SELECT pruned_seq FROM audit_chains WHERE workspace_id = OLD.workspace_id) THEN
      RETURN OLD;
    END IF;
  ELSIF OLD.hash IS NULL AND NEW.hash IS NOT NULL
    AND to_jsonb(NEW) - ARRAY['seq', 'private_salt', 'private_hash', 'prev_hash', 'hash']
      = to_jsonb(OLD) - ARRAY['seq', 'private_salt', 'private_hash', 'prev_hash', 'hash'] THEN
    RETURN NEW;
  ELSIF OLD.hash IS NOT NULL AND NEW.private_salt IS NULL AND NEW.actor_name = '' AND NEW.summary = ''
    AND NEW.address IS NULL AND NEW.user_agent IS NULL AND NEW.changes = '[]'
    AND to_jsonb(NEW) - ARRAY['private_salt', 'actor_name', 'summary', 'address', 'user_agent', 'changes']
      = to_jsonb(OLD) - ARRAY['private_salt', 'actor_name', 'summary', 'address', 'user_agent', 'changes'] THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'An entry of the audit log cannot be changed or deleted' USING ERRCODE = 'integrity_constraint_violation';
END $body$;
--> statement-breakpoint
CREATE TRIGGER audit_log_kept BEFORE UPDATE OR DELETE ON audit_log FOR EACH ROW EXECUTE FUNCTION crm_audit_keep();
