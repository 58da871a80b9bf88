ALTER TABLE "installation" ADD COLUMN "backup_at" timestamptz(3);--> statement-breakpoint
ALTER TABLE "workspaces" ADD COLUMN "retention" jsonb DEFAULT '{}'::jsonb NOT NULL;