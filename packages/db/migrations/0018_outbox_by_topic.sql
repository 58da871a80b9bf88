DROP INDEX "outbox_waiting";--> statement-breakpoint
DROP INDEX "outbox_relayed";--> statement-breakpoint
CREATE INDEX "outbox_waiting" ON "outbox" USING btree ("topic","id") WHERE "outbox"."relayed_at" is null and "outbox"."done_at" is null;--> statement-breakpoint
CREATE INDEX "outbox_relayed" ON "outbox" USING btree ("topic","relayed_at") WHERE "outbox"."relayed_at" is not null and "outbox"."done_at" is null;