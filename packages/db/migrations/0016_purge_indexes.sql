CREATE INDEX "bookings_by_lead" ON "bookings" USING btree ("workspace_id","lead_id") WHERE "bookings"."lead_id" is not null;--> statement-breakpoint
CREATE INDEX "bookings_by_contact" ON "bookings" USING btree ("workspace_id","contact_id") WHERE "bookings"."contact_id" is not null;--> statement-breakpoint
CREATE INDEX "comments_by_parent" ON "comments" USING btree ("workspace_id","parent_id") WHERE "comments"."parent_id" is not null;--> statement-breakpoint
CREATE INDEX "deals_by_lead" ON "deals" USING btree ("workspace_id","lead_id") WHERE "deals"."lead_id" is not null;--> statement-breakpoint
CREATE INDEX "leads_by_deal" ON "leads" USING btree ("workspace_id","deal_id") WHERE "leads"."deal_id" is not null;--> statement-breakpoint
CREATE INDEX "document_records_of_file" ON "document_records" USING btree ("workspace_id","file_id") WHERE "document_records"."file_id" is not null;--> statement-breakpoint
CREATE INDEX "projects_by_company" ON "projects" USING btree ("workspace_id","company_id") WHERE "projects"."company_id" is not null;--> statement-breakpoint
CREATE INDEX "projects_by_deal" ON "projects" USING btree ("workspace_id","deal_id") WHERE "projects"."deal_id" is not null;--> statement-breakpoint
CREATE INDEX "tasks_of_project" ON "tasks" USING btree ("workspace_id","project_id") WHERE "tasks"."project_id" is not null;