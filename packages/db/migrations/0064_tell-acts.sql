ALTER TABLE "agent_acts" ADD COLUMN "operation" text;--> statement-breakpoint
ALTER TABLE "agent_acts" ADD COLUMN "changes" jsonb DEFAULT '[]'::jsonb NOT NULL;