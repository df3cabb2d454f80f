import type { RequirementId } from '../../../spec/generated/documents.js';
import type { OperationId } from '../../../spec/generated/operations.js';

/**
 * The rule of each operation. With `seen: false` an answer alone does not show that it is kept, as it says what comes of the
 * request elsewhere: an answer that is wrong breaks it all the same.
 */
export const ownRequirement: Readonly<Record<OperationId, { id: RequirementId; seen: boolean }>> =
  Object.freeze({
    inviteUser: shown('ORG-01'),
    getOrganisation: shown('ORG-02'),
    updateOrganisation: elsewhere('ORG-03'),
    getUsage: shown('ORG-04'),
    getBillingPortal: shown('ORG-05'),
    topUp: shown('ORG-06'),
    getAutoTopUp: shown('ORG-07'),
    setAutoTopUp: shown('ORG-08'),
    setPlan: shown('ORG-09'),
    listTasks: shown('TASK-15'),
    createTask: shown('TASK-14'),
    getTask: shown('TASK-16'),
    updateTask: shown('TASK-18'),
    deleteTask: elsewhere('TASK-17'),
    getTaskVisibility: shown('TASK-19'),
    setTaskVisibility: shown('TASK-20'),
    deleteTaskData: elsewhere('TASK-21'),
    sendTaskEvent: shown('EVENT-03'),
    listProfiles: shown('PROFILE-03'),
    createProfile: shown('PROFILE-02'),
    deleteProfile: elsewhere('PROFILE-04'),
    listProxies: shown('PROXY-01'),
    updateProxy: shown('PROXY-02'),
    listExtensions: elsewhere('EXT-02'),
    uploadExtension: shown('EXT-01'),
    deleteExtension: shown('EXT-03'),
    deleteBrowserExtension: shown('EXT-04'),
    uploadFile: shown('FILE-01'),
    deleteFile: shown('FILE-02'),
    openBrowserSession: shown('BROWSER-01'),
    closeBrowserSession: elsewhere('BROWSER-02'),
    listBrowserProfiles: shown('BROWSER-03'),
    deleteBrowserProfile: elsewhere('BROWSER-04'),
    listBrowserExtensions: shown('BROWSER-06'),
    uploadBrowserExtension: shown('BROWSER-05'),
    sendTelemetry: shown('TELEMETRY-01'),
    getJob: shown('JOB-01'),
    getWorkspace: shown('WORKSPACE-01'),
    createWorkspace: elsewhere('WORKSPACE-02'),
    listChats: shown('CHAT-01'),
    createChatTask: shown('CHAT-02'),
    deleteChat: shown('CHAT-03'),
    getChat: shown('CHAT-04'),
    renameChat: elsewhere('CHAT-05'),
    updateRequest: elsewhere('CHAT-06'),
    listMessages: shown('CHAT-07'),
    createMessage: shown('CHAT-08'),
    getAttachment: shown('CHAT-09'),
    updateAttachment: shown('CHAT-10'),
    getToolData: shown('CHAT-11'),
    listApps: shown('APP-01'),
    connectApp: shown('APP-02'),
    listSops: shown('SOP-01'),
    saveSop: elsewhere('SOP-02'),
    deleteSop: elsewhere('SOP-03'),
    listAutomations: shown('AUTO-01'),
    createAutomation: shown('AUTO-02'),
    deleteAutomation: elsewhere('AUTO-03'),
    triggerWebhook: elsewhere('AUTO-04'),
  });

function shown(id: RequirementId) {
  return { id, seen: true };
}

function elsewhere(id: RequirementId) {
  return { id, seen: false };
}
