ALTER TABLE "notification_mails" ADD COLUMN "digest" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "notification_mails" ADD COLUMN "off" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "notifications" ADD COLUMN "entity_type" text;--> statement-breakpoint
ALTER TABLE "notifications" ADD COLUMN "entity_id" uuid;--> statement-breakpoint
ALTER TABLE "notifications" ADD COLUMN "snoozed_until" timestamptz(3);--> statement-breakpoint
ALTER TABLE "notifications" ADD COLUMN "done_at" timestamptz(3);--> statement-breakpoint
ALTER TABLE "tasks" ADD COLUMN "due_told_at" timestamptz(3);--> statement-breakpoint
CREATE INDEX "tasks_to_tell" ON "tasks" USING btree ("due_at") WHERE "tasks"."deleted_at" is null and "tasks"."assignee_id" is not null and "tasks"."status" in ('TODO', 'IN_PROGRESS', 'IN_REVIEW') and "tasks"."due_told_at" is distinct from "tasks"."due_at";