CREATE INDEX "price_lists_deleted" ON "price_lists" USING btree ("workspace_id","deleted_at") WHERE "price_lists"."deleted_at" is not null;--> statement-breakpoint
CREATE INDEX "products_deleted" ON "products" USING btree ("workspace_id","deleted_at") WHERE "products"."deleted_at" is not null;--> statement-breakpoint
CREATE INDEX "companies_deleted" ON "companies" USING btree ("workspace_id","deleted_at") WHERE "companies"."deleted_at" is not null;--> statement-breakpoint
CREATE INDEX "contacts_deleted" ON "contacts" USING btree ("workspace_id","deleted_at") WHERE "contacts"."deleted_at" is not null;--> statement-breakpoint
CREATE INDEX "deals_deleted" ON "deals" USING btree ("workspace_id","deleted_at") WHERE "deals"."deleted_at" is not null;--> statement-breakpoint
CREATE INDEX "leads_deleted" ON "leads" USING btree ("workspace_id","deleted_at") WHERE "leads"."deleted_at" is not null;--> statement-breakpoint
CREATE INDEX "documents_deleted" ON "documents" USING btree ("workspace_id","deleted_at") WHERE "documents"."deleted_at" is not null;--> statement-breakpoint
CREATE INDEX "invoices_deleted" ON "invoices" USING btree ("workspace_id","deleted_at") WHERE "invoices"."deleted_at" is not null;--> statement-breakpoint
CREATE INDEX "orders_deleted" ON "orders" USING btree ("workspace_id","deleted_at") WHERE "orders"."deleted_at" is not null;--> statement-breakpoint
CREATE INDEX "quotes_deleted" ON "quotes" USING btree ("workspace_id","deleted_at") WHERE "quotes"."deleted_at" is not null;--> statement-breakpoint
CREATE INDEX "activities_deleted" ON "activities" USING btree ("workspace_id","deleted_at") WHERE "activities"."deleted_at" is not null;--> statement-breakpoint
CREATE INDEX "custom_records_deleted" ON "custom_records" USING btree ("workspace_id","deleted_at") WHERE "custom_records"."deleted_at" is not null;--> statement-breakpoint
CREATE INDEX "projects_deleted" ON "projects" USING btree ("workspace_id","deleted_at") WHERE "projects"."deleted_at" is not null;--> statement-breakpoint
CREATE INDEX "tasks_deleted" ON "tasks" USING btree ("workspace_id","deleted_at") WHERE "tasks"."deleted_at" is not null;